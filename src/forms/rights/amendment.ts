import type { Actor } from '../../platform/act.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Answers } from '../model/form-model.ts';
import { openBeside, sealBeside } from '../submissions/sealed-submission.ts';

/** What was set right in a submission, or said against it. The submission itself stays as it came. */
export interface Amendment extends AmendmentContent {
  id: string;
  at: Date;
}

export interface AmendmentContent {
  /** The answers that are others now, null where there is none any more; null for a statement. */
  changes: Answers | null;
  /** The keys that are unasked now; null for a statement. */
  unasked: string[] | null;
  /** What the person says who does not agree with what stands here. */
  statement: string | null;
  reason: string | null;
  requestedBy: string | null;
  by: Actor;
  /** SHA-256 of the canonical JSON of the answers as they stood before. */
  beforeHash: string;
}

/** An amendment as the database gives it along with its submission. */
export interface StoredAmendment {
  id: string;
  at: string;
  /** In hex. */
  sealed: string;
}

interface Sealed {
  customerId: number;
  /** Of the submission. */
  id: string;
  key: Buffer;
}

/** Seals an amendment under the key of its submission. */
export function sealAmendment(
  keys: CustomerVault,
  submission: Sealed,
  amendmentId: string,
  content: AmendmentContent,
): Buffer {
  return sealBeside(keys, submission, placeOf(amendmentId), JSON.stringify(content));
}

/** Opens the amendments of a submission, in the order in which they were made. */
export function openAmendments(keys: CustomerVault, submission: Sealed, stored: StoredAmendment[] | null): Amendment[] {
  return (stored ?? []).map(({ id, at, sealed }) => {
    const opened = openBeside(keys, submission, placeOf(id), Buffer.from(sealed, 'hex'));
    return { ...(JSON.parse(opened.toString()) as AmendmentContent), id, at: new Date(at) };
  });
}

/** The answers with everything that was set right since. */
export function asAmended<T extends { answers: Answers; unasked: string[]; amendments: Amendment[] }>(
  submission: T,
): T {
  if (submission.amendments.length === 0) return submission;
  const answers = new Map(Object.entries(submission.answers));
  let { unasked } = submission;
  for (const amendment of submission.amendments) {
    for (const [name, answer] of Object.entries(amendment.changes ?? {})) {
      if (answer === null) answers.delete(name);
      else answers.set(name, answer);
    }
    unasked = amendment.unasked ?? unasked;
  }
  return { ...submission, answers: Object.fromEntries(answers), unasked };
}

function placeOf(id: string) {
  return { table: 'submission_amendments', row: id, column: 'sealed' };
}

import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { compileVersion } from '../definition/compiled-versions.ts';
import { readVersion } from '../definition/versions.ts';
import { requireReadable } from '../end-to-end/require-readable.ts';
import { findSubmission, type ReadDeps, type SubmissionIds } from '../submissions/read.ts';
import { type Submission, submissionNotFound } from '../submissions/submission.ts';
import { type Amendment, type AmendmentContent, asAmended, sealAmendment } from './amendment.ts';
import { refuseTooMuch } from './amendment-size.ts';
import { hashOf, judgeAmendment } from './judge-amendment.ts';
import type { WantedAmendment } from './read-amendment.ts';

const MOST_AMENDMENTS = 100;

/**
 * Adds an amendment to a submission: what was sent stays as it was, and what is right now stands beside it. The audit
 * log tells that it was amended, and not how. What else has to be written with it comes last.
 */
export async function amendSubmission(
  deps: ReadDeps,
  act: Act,
  { ids, wanted }: { ids: SubmissionIds; wanted: WantedAmendment },
  writeWith: (tx: Tx, amendment: Amendment) => Promise<void>,
): Promise<Amendment> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  return deps.db.tenant([customerId], async (tx) => {
    const { id, formId } = await findSubmission(tx, { ...deps, keys }, customerId, ids);
    const key = await lockKey(tx, customerId, id);
    // Read again: the one before may have been amended while this waited.
    const submission = asAmended(await findSubmission(tx, { ...deps, keys }, customerId, ids));
    requireReadable(submission);
    if (submission.amendments.length >= MOST_AMENDMENTS)
      throw new AppError('conflict', `A submission takes at most ${MOST_AMENDMENTS} amendments`);
    const content: AmendmentContent = {
      ...(await judged(tx, customerId, submission, wanted)),
      statement: wanted.statement,
      reason: wanted.reason,
      requestedBy: wanted.requestedBy,
      by: act.actor,
      beforeHash: hashOf(submission.answers),
    };
    refuseTooMuch([...submission.amendments, content]);
    const amendment = { ...content, id: timeOrderedId(deps.clock), at: deps.clock.now() };
    await tx
      .insertInto('submission_amendments')
      .values({
        id: amendment.id,
        customer_id: customerId,
        form_id: formId,
        submission_id: id,
        sealed: sealAmendment(keys, { customerId, id, key }, amendment.id, content),
        at: amendment.at,
      })
      .execute();
    const kind = wanted.changes === null ? 'statement' : 'changes';
    await recordAct(tx, deps.clock, act, { target: id, details: { form: formId, amendment: amendment.id, kind } });
    await writeWith(tx, amendment);
    return amendment;
  });
}

/** An amendment once more for whoever made it, by what was kept of the first answer. */
export async function findAmendment(
  deps: ReadDeps,
  customerId: number,
  ids: SubmissionIds,
  kept: unknown,
): Promise<Amendment> {
  const keys = await deps.vault.of(customerId);
  const { amendments } = await deps.db.tenant([customerId], (tx) =>
    findSubmission(tx, { ...deps, keys }, customerId, ids),
  );
  const { amendment: wanted } = kept as { amendment: string };
  const found = amendments.find(({ id }) => id === wanted);
  if (found === undefined) throw submissionNotFound();
  return found;
}

async function judged(tx: Tx, customerId: number, submission: Submission, { changes }: WantedAmendment) {
  if (changes === null) return { changes: null, unasked: null };
  const row = await readVersion(tx, customerId, submission.formId, submission.formVersion);
  if (row === undefined) throw submissionNotFound();
  return judgeAmendment(compileVersion(row).model, submission, changes);
}

/** The submission's key, which nobody destroys meanwhile; whoever adds to one submission waits for the others here. */
export async function lockKey(tx: Tx, customerId: number, id: string): Promise<Buffer> {
  const row = await tx
    .selectFrom('submission_keys')
    .select('key')
    .where('customer_id', '=', customerId)
    .where('submission_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw submissionNotFound();
  return row.key;
}

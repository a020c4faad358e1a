import { createSecretKey, randomFillSync } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';
import { openValue, sealValue } from '../../platform/vault/sealed-column.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Answers } from '../model/form-model.ts';
import type { ShownForm } from './shown-form.ts';
import type { Evidence } from './signature.ts';

/** A file of a submission; its id is that of its blob. */
export interface SubmittedFile {
  id: string;
  name: string;
  type: string;
  size: number;
  sha256: string;
  /** The question that it answers, where that was said. */
  field: string | null;
}

/** All that a patient gave. */
export interface SubmissionContent {
  answers: Answers;
  unasked: string[];
  files: SubmittedFile[];
  signature: Evidence | null;
  /** How the form was headed, and in which language; older submissions lack it. */
  shown?: ShownForm;
  /** What was encrypted to the customer's own keys, in base64; then there is nothing else. */
  endToEnd?: string;
}

export interface SealedSubmission {
  sealed: Buffer;
  submitter: Buffer | null;
  /** The submission's own key, sealed under the customer's. */
  key: Buffer;
}

/** As JSON: 4 MB of which every sign has to be escaped once, as quotes and line feeds are. */
export const MOST_CONTENT = 8 * 2 ** 20;
const KEY_BYTES = 32;
/** A submission's key never has a second version: it is destroyed, not rotated. */
const ONLY_VERSION = 1;

const pool = Buffer.alloc(KEY_BYTES * 256);
let taken = pool.length;

/** Asking for many keys' worth of randomness at a time costs a tenth for each. */
function takeRandom(): Buffer {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  return Buffer.from(pool.subarray(taken, (taken += KEY_BYTES)));
}

type Ids = { customerId: number; id: string };

/**
 * Seals a submission under a key of its own, so that destroying the key destroys the submission. Throws where it is more
 * than can be given out again: control signs take six times their length.
 */
export function sealSubmission(
  keys: CustomerVault,
  ids: Ids,
  content: SubmissionContent,
  submitter: string | null,
): SealedSubmission {
  const text = JSON.stringify(content);
  if (text.length > MOST_CONTENT) throw tooLarge();
  const raw = takeRandom();
  const key = createSecretKey(raw);
  return {
    sealed: sealValue(key, ONLY_VERSION, placeOf(ids, 'sealed'), text),
    submitter: submitter === null ? null : sealValue(key, ONLY_VERSION, placeOf(ids, 'submitter'), submitter),
    key: keys.seal(keyPlace(ids.id), raw),
  };
}

function tooLarge(): AppError {
  const rule = `takes at most ${MOST_CONTENT} signs as JSON, with all that is kept beside it`;
  return new AppError('payload_too_large', `form_data: ${rule}`, { fields: { form_data: [rule] } });
}

/** Opens what a patient gave. */
export function openSubmission(
  keys: CustomerVault,
  ids: Ids,
  { sealed, key }: { sealed: Buffer; key: Buffer },
): SubmissionContent {
  const opened = openValue(openKey(keys, ids.id, key), placeOf(ids, 'sealed'), sealed);
  return JSON.parse(opened.toString()) as SubmissionContent;
}

/** Opens the address of whoever submitted, and nothing else. */
export function openSubmitter(
  keys: CustomerVault,
  ids: Ids,
  { submitter, key }: { submitter: Buffer | null; key: Buffer },
): string | null {
  if (submitter === null) return null;
  return openValue(openKey(keys, ids.id, key), placeOf(ids, 'submitter'), submitter).toString();
}

/** Where something stands that belongs to a submission. */
interface Beside {
  table: string;
  row: string;
  column: string;
}

/** Seals what belongs to a submission under the submission's own key, so that it is destroyed along with it. */
export function sealBeside(
  keys: CustomerVault,
  { customerId, id, key }: Ids & { key: Buffer },
  place: Beside,
  text: string,
): Buffer {
  return sealValue(openKey(keys, id, key), ONLY_VERSION, { customerId, ...place }, text);
}

/** Opens what belongs to a submission. */
export function openBeside(
  keys: CustomerVault,
  { customerId, id, key }: Ids & { key: Buffer },
  place: Beside,
  sealed: Buffer,
): Buffer {
  return openValue(openKey(keys, id, key), { customerId, ...place }, sealed);
}

function openKey(keys: CustomerVault, id: string, sealed: Buffer) {
  return createSecretKey(keys.open(keyPlace(id), sealed));
}

function placeOf({ customerId, id }: Ids, column: string) {
  return { customerId, table: 'submissions', row: id, column };
}

function keyPlace(id: string) {
  return { table: 'submission_keys', row: id, column: 'key' };
}

import type { AuditRow } from '../../accounts/index.ts';
import { type Acceptance, acceptanceValues, newsRows } from '../../email/index.ts';
import { DEFAULT_LIST_NAME, type Joining, peopleRows } from '../../marketing/index.ts';
import type { StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Query } from '../../platform/db/database.ts';
import { isNothingFound } from '../../platform/db/failure.ts';
import { PackedBytes, toHex } from '../../platform/db/packed-bytes.ts';
import { type IdempotencyRow, keepRepliesQuery } from '../../platform/http/idempotency.ts';
import { momentText } from '../../platform/moment-text.ts';
import { formNotFound } from '../definition/form.ts';
import { type Passage, placeQueries } from '../gate/places.ts';
import { keepSignersQuery, type SignerRow } from '../signing/new-signers.ts';
import { claimQuery, uploadGone } from '../uploads/claim.ts';
import type { Filling } from './fillings.ts';
import type { SealedSubmission } from './sealed-submission.ts';
import '../tables.ts';

/** The event that tells of a submission; its facts are ids and a time. */
const CREATED = 'forms.submission.created';

/** Everything that one submission writes. */
export interface NewSubmission extends SealedSubmission {
  id: string;
  customerId: number;
  formId: string;
  formVersion: number;
  submitterIndex: Buffer | null;
  at: Date;
  blobs: StoredBlob[];
  /** The files that came ahead and become its own, by their blobs. */
  uploads: string[];
  passage: Passage;
  /** The filling of a page that it is, which is taken once. */
  filling: Filling | null;
  /** Who is to sign it beside whoever sends it. */
  signers: SignerRow[];
  audit: AuditRow;
  notifications: Acceptance | null;
  subscription: Joining | null;
  /** The address of whoever submitted, where they are added to no list. */
  unlisted: string | null;
  reply: IdempotencyRow | null;
}

/** How much of a transaction a submission takes up. */
export function sizeOf({ sealed }: NewSubmission): number {
  return sealed.length;
}

const ACCEPT = 'select accept_submissions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

const KEEP_FILES = `
  with sent as (
    select * from json_to_recordset($1::json) as f (blob_id uuid, submission_id uuid, customer_id int, size bigint,
      sha256 bytea, file_key bytea, at timestamptz)
  ), new_blobs as (
    insert into blobs (id, customer_id, size, sha256, file_key, created_at)
    select blob_id, customer_id, size, sha256, file_key, at from sent
  )
  insert into submission_files (blob_id, submission_id, customer_id)
  select blob_id, submission_id, customer_id from sent`;

/**
 * Writes submissions with all that follows in one transaction: a single call, unless there is more to keep beside. Throws
 * where a form was closed since it was looked up, which may be long ago.
 */
export async function writeSubmissions(
  { db, clock }: { db: Database; clock: Clock },
  batch: NewSubmission[],
): Promise<void[]> {
  const customers = [...new Set(batch.map(({ customerId }) => customerId))];
  const accept = acceptQuery(clock, customers, batch);
  const beside = besideQueries(batch);
  try {
    if (beside.length === 0) await db.call(accept);
    else await writeAll(db, customers, beside, accept);
  } catch (error) {
    throw isNothingFound(error) ? formNotFound() : error;
  }
  return batch.map(() => undefined);
}

function writeAll(db: Database, customers: number[], beside: Beside[], accept: Query): Promise<void> {
  return db.raw(customers, async (client) => {
    for (const { query, judge } of beside) {
      const outcome = await client.query(query);
      judge?.(outcome);
    }
    await client.query(accept);
  });
}

function acceptQuery(clock: Clock, customers: number[], batch: NewSubmission[]): Query {
  const { rows, bytes } = submissionRows(batch);
  const joining = batch.flatMap(({ subscription }) => subscription ?? []);
  const notifications = batch.flatMap((submission) => submission.notifications ?? []);
  const { bytes: mailBytes, ...mails } = acceptanceValues(notifications);
  const news = batch.map(({ id, customerId, formId, at }) => ({
    customerId,
    name: CREATED,
    facts: { form_id: formId, submission_id: id, time: momentText(at) },
  }));
  const submitters = batch.flatMap(({ customerId, formId, unlisted }) =>
    unlisted === null ? [] : [{ customer_id: customerId, form_id: formId, email: unlisted }],
  );
  return {
    name: 'accept-submissions',
    text: ACCEPT,
    values: [
      customers,
      JSON.stringify(rows),
      bytes,
      JSON.stringify(batch.map(({ audit }) => audit)),
      joining.length === 0 ? null : JSON.stringify(peopleRows(clock, joining)),
      DEFAULT_LIST_NAME,
      notifications.length === 0 ? null : JSON.stringify(mails),
      mailBytes,
      JSON.stringify(newsRows(news)),
      clock.now(),
      submitters.length === 0 ? null : JSON.stringify(submitters),
    ],
  };
}

/** A statement of the transaction, and what refuses the submissions where its outcome is not good. */
interface Beside {
  query: Query;
  judge?(outcome: { rowCount: number | null }): void;
}

/**
 * What stands beside some submissions: places that are taken up, files, those that came ahead, who is to sign, and
 * replies to be given again.
 */
function besideQueries(batch: NewSubmission[]): Beside[] {
  const files = batch.flatMap(({ id, blobs, at }) => blobs.map((blob) => fileRow(id, blob, at)));
  const signers = batch.flatMap((submission) => submission.signers);
  const replies = batch.flatMap(({ reply, at }) => (reply === null ? [] : [{ row: reply, at }]));
  return [
    ...placeQueries(batch),
    ...(files.length === 0
      ? []
      : [{ query: { name: 'keep-files', text: KEEP_FILES, values: [JSON.stringify(files)] } }]),
    ...claimUploads(batch),
    ...(signers.length === 0 ? [] : [{ query: keepSignersQuery(signers) }]),
    ...(replies.length === 0 ? [] : [{ query: keepRepliesQuery(replies) }]),
  ];
}

/** Where one of many submissions names a file that is gone, all are refused, and then written one by one. */
function claimUploads(batch: NewSubmission[]): Beside[] {
  const claims = batch.flatMap(({ id, customerId, formId, uploads, at }) =>
    uploads.map((blob) => ({ blob_id: blob, submission_id: id, form_id: formId, customer_id: customerId, at })),
  );
  if (claims.length === 0) return [];
  const judge = ({ rowCount }: { rowCount: number | null }) => {
    if (rowCount !== claims.length) throw uploadGone();
  };
  return [{ query: claimQuery(claims), judge }];
}

function submissionRows(batch: NewSubmission[]) {
  const packed = new PackedBytes();
  const rows = batch.map(
    ({ id, customerId, formId, formVersion, submitterIndex, at, sealed, submitter, key, filling }) => ({
      id,
      customer_id: customerId,
      form_id: formId,
      form_version: formVersion,
      submitter_index: submitterIndex === null ? null : toHex(submitterIndex),
      at: momentText(at),
      sealed_at: packed.place(sealed),
      sealed_length: sealed.length,
      ...(submitter === null ? {} : { submitter_at: packed.place(submitter), submitter_length: submitter.length }),
      key_at: packed.place(key),
      key_length: key.length,
      ...(filling === null ? {} : { filling: toHex(filling.name), content: toHex(filling.content) }),
    }),
  );
  return { rows, bytes: packed.bytes };
}

function fileRow(submissionId: string, blob: StoredBlob, at: Date) {
  return {
    blob_id: blob.id,
    submission_id: submissionId,
    customer_id: blob.customerId,
    size: blob.size,
    sha256: toHex(blob.sha256),
    file_key: toHex(blob.fileKey),
    at,
  };
}

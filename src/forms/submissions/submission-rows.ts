import { sql } from 'kysely';
import type { AuditRow } from '../../accounts/index.ts';
import type { Acceptance } from '../../email/index.ts';
import { enqueueDeliveries, writeAcceptancesIn } from '../../email/index.ts';
import { addSubscribers, type Joining } from '../../marketing/index.ts';
import type { StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Idempotency, IdempotencyClaim } from '../../platform/http/idempotency.ts';
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
  audit: AuditRow;
  notifications: Acceptance | null;
  subscription: Joining | null;
  once: { claim: IdempotencyClaim; body: unknown } | null;
}

/** How much of a transaction a submission takes up. */
export function sizeOf({ sealed }: NewSubmission): number {
  return sealed.length;
}

/** Writes submissions with all that follows from them, in one transaction. */
export async function writeSubmissions(
  { db, clock, idempotency }: { db: Database; clock: Clock; idempotency: Idempotency },
  batch: NewSubmission[],
): Promise<void[]> {
  const customers = [...new Set(batch.map(({ customerId }) => customerId))];
  await db.tenant(customers, async (tx) => {
    for (const { once } of batch) {
      if (once !== null) await idempotency.keepWith(tx, once.claim, { status: 201, body: once.body });
    }
    await insertAll(tx, batch);
    const joining = batch.flatMap(({ subscription }) => subscription ?? []);
    if (joining.length > 0) await addSubscribers(tx, clock, joining);
    const mails = batch.flatMap(({ notifications }) => notifications ?? []);
    if (mails.length > 0) await writeAcceptancesIn(tx, customers, mails);
    // Last of all, as others wait from here on: endpoints are numbered and forms counted under locks.
    await enqueueDeliveries(
      tx,
      clock,
      batch.map(({ id, customerId, formId, at }) => ({
        customerId,
        name: CREATED,
        facts: { form_id: formId, submission_id: id, time: at.toISOString() },
      })),
    );
    await countSubmissions(tx, batch);
  });
  return batch.map(() => undefined);
}

/** One call for the whole batch; sealed bytes travel as one value of which each row takes its part. */
async function insertAll(tx: Tx, batch: NewSubmission[]): Promise<void> {
  const { rows, bytes } = submissionRows(batch);
  const audit = batch.map((submission) => submission.audit);
  await sql`select accept_submissions(${JSON.stringify(rows)}, ${bytes}, ${JSON.stringify(audit)})`.execute(tx);
  const files = batch.flatMap(({ id, blobs, at }) => blobs.map((blob) => fileRow(id, blob, at)));
  if (files.length > 0) await insertFiles(tx, files);
}

async function countSubmissions(tx: Tx, batch: NewSubmission[]): Promise<void> {
  const forms = Map.groupBy(batch, ({ formId }) => formId);
  const counts = [...forms].map(([formId, sent]) => ({
    form_id: formId,
    customer_id: sent[0]?.customerId,
    added: sent.length,
  }));
  await sql`
    with added as (
      select c.form_id, c.customer_id, n.added
      from json_to_recordset(${JSON.stringify(counts)}::json) as n (form_id uuid, customer_id int, added int)
      join form_counts c on c.form_id = n.form_id and c.customer_id = n.customer_id order by c.form_id for update of c
    )
    update form_counts c set submission_count = c.submission_count + added.added
    from added where c.form_id = added.form_id and c.customer_id = added.customer_id`.execute(tx);
}

async function insertFiles(tx: Tx, files: ReturnType<typeof fileRow>[]): Promise<void> {
  await sql`
    with sent as (
      select * from json_to_recordset(${JSON.stringify(files)}::json) as f (blob_id uuid, submission_id uuid,
        customer_id int, size bigint, sha256 bytea, file_key bytea, at timestamptz)
    ), new_blobs as (
      insert into blobs (id, customer_id, size, sha256, file_key, created_at)
      select blob_id, customer_id, size, sha256, file_key, at from sent
    )
    insert into submission_files (blob_id, submission_id, customer_id)
    select blob_id, submission_id, customer_id from sent`.execute(tx);
}

function submissionRows(batch: NewSubmission[]) {
  const parts: Buffer[] = [];
  let next = 1; // SQL counts from one
  const place = (part: Buffer) => {
    const at = next;
    parts.push(part);
    next += part.length;
    return at;
  };
  const rows = batch.map(({ id, customerId, formId, formVersion, submitterIndex, at, sealed, submitter, key }) => ({
    id,
    customer_id: customerId,
    form_id: formId,
    form_version: formVersion,
    submitter_index: submitterIndex === null ? null : toHex(submitterIndex),
    at,
    sealed_at: place(sealed),
    sealed_length: sealed.length,
    ...(submitter === null ? {} : { submitter_at: place(submitter), submitter_length: submitter.length }),
    key_at: place(key),
    key_length: key.length,
  }));
  return { rows, bytes: Buffer.concat(parts) };
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

function toHex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

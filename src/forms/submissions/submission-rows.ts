import { sql } from 'kysely';
import type { AuditRow } from '../../accounts/index.ts';
import type { Acceptance } from '../../email/index.ts';
import { enqueueDeliveries, writeAcceptancesIn } from '../../email/index.ts';
import { type NewSubscriber, upsertSubscriber } from '../../marketing/index.ts';
import type { Act } from '../../platform/act.ts';
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
  subscription: { act: Act; subscriber: NewSubscriber; listId: number } | null;
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
    await feedLists(tx, clock, batch);
    await enqueueDeliveries(
      tx,
      clock,
      batch.map(({ id, customerId, formId, at }) => ({
        customerId,
        name: CREATED,
        facts: { form_id: formId, submission_id: id, time: at.toISOString() },
      })),
    );
    const mails = batch.flatMap(({ notifications }) => notifications ?? []);
    if (mails.length > 0) await writeAcceptancesIn(tx, customers, mails);
  });
  return batch.map(() => undefined);
}

/** One statement for the whole batch; sealed bytes travel as one value of which each row takes its part. */
async function insertAll(tx: Tx, batch: NewSubmission[]): Promise<void> {
  const { rows, bytes } = submissionRows(batch);
  await sql`
    with sent as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as s (id uuid, customer_id int, form_id uuid,
        form_version int, submitter_index bytea, at timestamptz, sealed_at int, sealed_length int, submitter_at int,
        submitter_length int, key_at int, key_length int)
    ), all_bytes as materialized (
      select ${bytes}::bytea as b
    ), new_submissions as (
      insert into submissions (id, customer_id, form_id, form_version, submitter_index, submitter, sealed, created_at)
      select s.id, s.customer_id, s.form_id, s.form_version, s.submitter_index,
        case when s.submitter_at is not null then substring(b from s.submitter_at for s.submitter_length) end,
        substring(b from s.sealed_at for s.sealed_length), s.at
      from sent s, all_bytes
    ), new_keys as (
      insert into submission_keys (submission_id, customer_id, key)
      select s.id, s.customer_id, substring(b from s.key_at for s.key_length) from sent s, all_bytes
    ), counted as (
      update form_counts c set submission_count = c.submission_count + n.count
      from (select customer_id, form_id, count(*) from sent group by 1, 2 order by 2) n
      where c.customer_id = n.customer_id and c.form_id = n.form_id
    )
    insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
    select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
    from json_to_recordset(${JSON.stringify(batch.map(({ audit }) => audit))}::json) as a (id uuid, customer_id int,
      at timestamptz, actor_kind text, actor_id text, action text, target text, request_id text, details text)`.execute(
    tx,
  );
  const files = batch.flatMap(({ id, blobs, at }) => blobs.map((blob) => fileRow(id, blob, at)));
  if (files.length > 0) await insertFiles(tx, files);
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

/** Adds whoever submitted to the list that the form feeds; one that was deleted meanwhile takes nobody. */
async function feedLists(tx: Tx, clock: Clock, batch: NewSubmission[]): Promise<void> {
  for (const { subscription } of batch) {
    if (subscription === null) continue;
    const { act, subscriber, listId } = subscription;
    const list = await tx
      .selectFrom('subscription_lists')
      .select('id')
      .where('customer_id', '=', act.customerId)
      .where('id', '=', listId)
      .executeTakeFirst();
    if (list !== undefined) await upsertSubscriber(tx, { clock, act }, subscriber, listId);
  }
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

import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/**
 * Destroys submissions of a form, their keys first of all: what is left of them in older copies of the tables can
 * not be opened any more. Returns the files that have to leave the store once this is committed.
 */
export async function destroySubmissions(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { formId, ids }: { formId: string; ids: string[] },
): Promise<string[]> {
  const { customerId } = act;
  const { rows } = await sql<{ id: string; blobs: string[] | null }>`
    with gone_keys as (
      delete from submission_keys where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_files as (
      delete from submission_files where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
      returning submission_id, blob_id
    ), gone_blobs as (
      delete from blobs b using gone_files f where b.customer_id = ${customerId} and b.id = f.blob_id
    ), gone as (
      delete from submissions where customer_id = ${customerId} and form_id = ${formId} and id = any(${ids}::uuid[])
      returning id
    ), counted as (
      update form_counts set submission_count = submission_count - (select count(*) from gone)
      where customer_id = ${customerId} and form_id = ${formId}
    )
    select gone.id, (select array_agg(blob_id) from gone_files f where f.submission_id = gone.id) as blobs
    from gone`.execute(tx);
  for (const { id, blobs } of rows) {
    await recordAct(tx, clock, act, { target: id, details: { form: formId, files: blobs?.length ?? 0 } });
  }
  return rows.flatMap(({ blobs }) => blobs ?? []);
}

/** Removes files whose rows are gone; one that cannot be removed now is an orphan and swept later. */
export async function removeFiles(store: BlobStore, ids: string[]): Promise<void> {
  for (const id of ids) await store.remove(id).catch(() => undefined);
}

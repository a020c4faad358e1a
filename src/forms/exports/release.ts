import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { GoneBecause } from './export-job.ts';
import '../tables.ts';

interface Of {
  customerId: number;
  formId: string;
}

/**
 * Lets go of every file that a submission of a form may stand in, and lets exports that are under way begin anew. Where
 * something else is held they go all the same: what was destroyed shall not be left in a copy, and what is held is in its
 * own place. Answers the files that have to leave the store once this is committed.
 */
export async function releaseExports(tx: Tx, clock: Clock, { customerId, formId }: Of): Promise<string[]> {
  await sql`update form_export_jobs set state = 'waiting', attempt = attempt + 1, tries = 0, done = 0
    where customer_id = ${customerId} and form_id = ${formId} and state = 'running'`.execute(tx);
  const kept = await tx
    .selectFrom('form_export_jobs')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .where('state', '=', 'done')
    .execute();
  const files: string[] = [];
  for (const { id } of kept) files.push(...(await letGo(tx, clock, { customerId, jobId: id }, 'destroyed')));
  return files;
}

/** Ends an export with its file, if it has one; answers the file, which leaves the store once this is committed. */
export async function letGo(
  tx: Tx,
  clock: Clock,
  { customerId, jobId }: { customerId: number; jobId: string },
  because: GoneBecause,
): Promise<string[]> {
  const job = await tx
    .selectFrom('form_export_jobs')
    .select(['blob_id', 'state'])
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .where('state', 'in', ['waiting', 'running', 'done'])
    .forUpdate()
    .executeTakeFirst();
  if (job === undefined) return [];
  await tx
    .updateTable('form_export_jobs')
    .set({ state: 'gone', gone_because: because, blob_id: null, updated_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .execute();
  if (job.blob_id === null) return [];
  await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', '=', job.blob_id).execute();
  return [job.blob_id];
}

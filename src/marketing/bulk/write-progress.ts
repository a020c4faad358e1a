import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { BulkJob, WhichJob } from './bulk-job.ts';
import '../tables.ts';

/** What a page of a job came to. */
interface PageDone {
  /** The last of the page. */
  place: string | undefined;
  people: number;
  /** How many it is about, as far as is known. */
  total: number;
  isLast: boolean;
}

/** Writes how far a job has come, in the transaction of the page that took it there. */
export async function writeProgress(
  tx: Tx,
  clock: Clock,
  { customerId, jobId }: WhichJob,
  job: BulkJob,
  { place, people, total, isLast }: PageDone,
): Promise<void> {
  const done = job.done + people;
  const now = clock.now();
  await tx
    .updateTable('bulk_jobs')
    .set({
      state: isLast ? 'done' : 'running',
      place: place ?? job.place,
      done,
      total: isLast ? done : Math.max(total, done),
      updated_at: now,
      finished_at: isLast ? now : null,
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .execute();
  if (isLast) await recordEnd(tx, clock, { customerId, jobId }, { kind: job.kind, people: done });
}

/** Ends a job that cannot go on; the rest of its people count as failures. */
export async function giveUp(
  tx: Tx,
  clock: Clock,
  { customerId, jobId }: WhichJob,
  { kind, done }: BulkJob,
  total: number,
): Promise<void> {
  const now = clock.now();
  const failures = Math.max(total - done, 0);
  await tx
    .updateTable('bulk_jobs')
    .set({ state: 'failed', failures, total: done + failures, updated_at: now, finished_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .execute();
  await recordEnd(tx, clock, { customerId, jobId }, { kind, people: done, failures });
}

function recordEnd(
  tx: Tx,
  clock: Clock,
  { customerId, jobId }: WhichJob,
  details: { kind: string; people: number; failures?: number },
): Promise<void> {
  const actor = { kind: 'worker', id: 'bulk' } as const;
  const finished = { customerId, actor, action: 'bulk_job.finished', requestId: null };
  return recordAct(tx, clock, finished, { target: jobId, details });
}

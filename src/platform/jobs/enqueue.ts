import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/**
 * Enqueues a side job in the transaction of the work that asks for it. The payload holds ids only;
 * a job with the same key that still waits is replaced.
 */
export async function enqueueJob(
  tx: Tx,
  task: string,
  payload: Record<string, string | number>,
  key: string,
): Promise<void> {
  await sql`select enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${key})`.execute(tx);
}

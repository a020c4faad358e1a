import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { currentRequestId } from '../request-context.ts';

/**
 * Enqueues a side job in the transaction of the work that asks for it. The payload holds ids only, that of the request
 * among them; a job with the same key that still waits is replaced.
 */
export async function enqueueJob(
  tx: Tx,
  task: string,
  payload: Record<string, string | number>,
  key: string,
): Promise<void> {
  const requestId = currentRequestId();
  const whole = requestId === undefined ? payload : { ...payload, requestId };
  await sql`select enqueue_job(${task}, ${JSON.stringify(whole)}::json, ${key})`.execute(tx);
}

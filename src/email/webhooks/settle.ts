import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { WebhookLease } from './lease.ts';
import { nextAttempt } from './retry.ts';
import { askToTellOwners } from './tell-owners.ts';
import '../tables.ts';

const GONE = 410;

/** How one attempt ended: with a status, or without a reply for one of a few reasons; what it tells of may be gone for good. */
export type AttemptResult = { status: number; retryAfter: string | null } | { failure: string; isGone?: boolean };

/**
 * Writes how an attempt ended and what follows from it; answers with the outcome in one word. Written once more, since the
 * answer of the database was lost, nothing follows from it again.
 */
export async function settleAttempt(
  { db, clock }: { db: Database; clock: Clock },
  lease: WebhookLease,
  result: AttemptResult,
): Promise<string> {
  const now = clock.now();
  const status = 'status' in result ? result.status : null;
  const delivered = status !== null && status >= 200 && status < 300;
  const isOff = status === GONE;
  const isGone = 'failure' in result && result.isGone === true;
  const attempt = lease.attempts - lease.attempts_before;
  const outcome = outcomeOf(result, delivered);
  const retryAt =
    delivered || isOff || isGone ? null : nextAttempt(now, attempt, 'status' in result ? result.retryAfter : null);
  await db.tenant([lease.customer_id], async (tx) => {
    await lockEndpoint(tx, lease); // before the delivery, as whoever changes an endpoint does
    await noteAttempt(tx, lease, { now, status, outcome });
    // A lease that was lost meanwhile is no longer ours to settle: the attempt number tells.
    const [settled] = await tx
      .updateTable('webhook_deliveries')
      .set(
        retryAt === null
          ? { state: delivered ? 'delivered' : 'failed', due_at: null, settled_at: now }
          : { due_at: retryAt },
      )
      .where('customer_id', '=', lease.customer_id)
      .where('id', '=', lease.id)
      .where('attempts', '=', lease.attempts)
      .where('state', '=', 'pending')
      .execute();
    if (changed(settled) === 0 || retryAt !== null) return;
    if (delivered)
      await ofEndpoint(tx, lease).set({ failing_since: null }).where('failing_since', 'is not', null).execute();
    else if (isOff) await switchOff(tx, lease);
    else if (!isGone) await noteFailing(tx, lease, now);
  });
  return outcome;
}

async function lockEndpoint(tx: Tx, { customer_id: customerId, endpoint_id: endpointId }: WebhookLease): Promise<void> {
  await tx
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', endpointId)
    .forUpdate()
    .execute();
}

async function switchOff(tx: Tx, lease: WebhookLease): Promise<void> {
  const [off] = await ofEndpoint(tx, lease).set({ active: false }).where('active', '=', true).execute();
  if (changed(off) > 0) await askToTellOwners(tx, lease, 'disabled');
}

async function noteFailing(tx: Tx, lease: WebhookLease, now: Date): Promise<void> {
  const [failing] = await ofEndpoint(tx, lease)
    .set({ failing_since: now })
    .where('failing_since', 'is', null)
    .execute();
  if (changed(failing) > 0) await askToTellOwners(tx, lease, 'failing');
}

function changed(result: { numUpdatedRows: bigint } | undefined): number {
  return Number(result?.numUpdatedRows ?? 0);
}

function outcomeOf(result: AttemptResult, delivered: boolean): string {
  if ('failure' in result) return result.failure;
  return delivered ? 'delivered' : 'refused';
}

async function noteAttempt(
  tx: Tx,
  { id, attempts, customer_id: customerId }: WebhookLease,
  { now, status, outcome }: { now: Date; status: number | null; outcome: string },
): Promise<void> {
  await tx
    .updateTable('webhook_attempts')
    .set({ finished_at: now, status, outcome })
    .where('customer_id', '=', customerId)
    .where('delivery_id', '=', id)
    .where('attempt', '=', attempts)
    .execute();
}

function ofEndpoint(tx: Tx, { customer_id: customerId, endpoint_id: endpointId }: WebhookLease) {
  return tx.updateTable('webhook_endpoints').where('customer_id', '=', customerId).where('id', '=', endpointId);
}

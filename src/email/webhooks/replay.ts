import { recordAct } from '../../accounts/index.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { EndpointWork } from './endpoints.ts';
import { lastAttemptIsOver } from './last-attempt.ts';
import '../tables.ts';

/** Which deliveries to send again: one, or a range by sequence number or by time. */
export interface Replay {
  deliveryId: string | null;
  fromSequence: number | null;
  toSequence: number | null;
  since: Date | null;
  until: Date | null;
}

/**
 * Sends deliveries of an endpoint again, under the same id and with the same bytes; what was refused and waits for its
 * next attempt is tried at once, and goes on counting. Answers how many.
 */
export async function replayDeliveries(work: EndpointWork, endpoint: WebhookEndpoint, replay: Replay): Promise<number> {
  const { tx, clock, act } = work;
  const [again] = await within(work, endpoint, replay)
    .set((eb) => ({ state: 'pending', due_at: clock.now(), settled_at: null, attempts_before: eb.ref('attempts') }))
    .where('state', '!=', 'pending')
    .execute();
  const [hurried] = await within(work, endpoint, replay)
    .set({ due_at: clock.now() })
    .where('state', '=', 'pending')
    .where('due_at', '>', clock.now())
    .where(lastAttemptIsOver(act.customerId))
    .execute();
  const deliveries = Number(again?.numUpdatedRows ?? 0) + Number(hurried?.numUpdatedRows ?? 0);
  await recordAct(tx, clock, act, { target: endpoint.publicId, details: { deliveries } });
  return deliveries;
}

function within(
  { tx, act }: EndpointWork,
  endpoint: WebhookEndpoint,
  { deliveryId, fromSequence, toSequence, since, until }: Replay,
) {
  let update = tx
    .updateTable('webhook_deliveries')
    .where('customer_id', '=', act.customerId)
    .where('endpoint_id', '=', endpoint.id);
  if (deliveryId !== null) update = update.where('id', '=', deliveryId);
  if (fromSequence !== null) update = update.where('sequence', '>=', fromSequence);
  if (toSequence !== null) update = update.where('sequence', '<=', toSequence);
  if (since !== null) update = update.where('created_at', '>=', since);
  if (until !== null) update = update.where('created_at', '<', until);
  return update;
}

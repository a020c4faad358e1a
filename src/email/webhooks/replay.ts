import { recordAct } from '../../accounts/index.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { EndpointWork } from './endpoints.ts';
import '../tables.ts';

/** Which deliveries to send again: one, or a range by sequence number or by time. */
export interface Replay {
  deliveryId: string | null;
  fromSequence: number | null;
  toSequence: number | null;
  since: Date | null;
  until: Date | null;
}

/** Sends deliveries of an endpoint again, under the same id and with the same bytes; answers how many. */
export async function replayDeliveries(
  { tx, clock, act }: EndpointWork,
  endpoint: WebhookEndpoint,
  { deliveryId, fromSequence, toSequence, since, until }: Replay,
): Promise<number> {
  let update = tx
    .updateTable('webhook_deliveries')
    .set((eb) => ({ state: 'pending', due_at: clock.now(), settled_at: null, attempts_before: eb.ref('attempts') }))
    .where('customer_id', '=', act.customerId)
    .where('endpoint_id', '=', endpoint.id)
    .where('state', '!=', 'pending');
  if (deliveryId !== null) update = update.where('id', '=', deliveryId);
  if (fromSequence !== null) update = update.where('sequence', '>=', fromSequence);
  if (toSequence !== null) update = update.where('sequence', '<=', toSequence);
  if (since !== null) update = update.where('created_at', '>=', since);
  if (until !== null) update = update.where('created_at', '<', until);
  const [updated] = await update.execute();
  const deliveries = Number(updated?.numUpdatedRows ?? 0);
  await recordAct(tx, clock, act, { target: endpoint.publicId, details: { deliveries } });
  return deliveries;
}

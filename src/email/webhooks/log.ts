import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import '../tables.ts';

const COLUMNS = [
  'id',
  'sequence',
  'event_name',
  'facts',
  'state',
  'attempts',
  'due_at',
  'created_at',
  'settled_at',
] as const;

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number];

/** The deliveries of an endpoint before a sequence number, the newest first. */
export async function listDeliveries(
  tx: Tx,
  customerId: number,
  endpointId: number,
  { before, limit, state }: { before: number | null; limit: number; state: 'pending' | 'delivered' | 'failed' | null },
) {
  let query = tx
    .selectFrom('webhook_deliveries')
    .select(COLUMNS)
    .where('customer_id', '=', customerId)
    .where('endpoint_id', '=', endpointId);
  if (before !== null) query = query.where('sequence', '<', before);
  if (state !== null) query = query.where('state', '=', state);
  return query.orderBy('sequence', 'desc').limit(limit).execute();
}

/** One delivery of an endpoint with every attempt at it. */
export async function readDelivery(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: string },
): Promise<{ delivery: Delivery; attempts: Awaited<ReturnType<typeof attemptsOf>> }> {
  if (!isUuid(deliveryId)) throw notFound();
  const owner = sql<number | null>`find_webhook_delivery_customer(${deliveryId})`;
  await requireOwn(tx, customerId, owner, 'No such webhook delivery');
  const delivery = await tx
    .selectFrom('webhook_deliveries')
    .select(COLUMNS)
    .where('customer_id', '=', customerId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (delivery === undefined) throw notFound();
  return { delivery, attempts: await attemptsOf(tx, customerId, deliveryId) };
}

function notFound(): AppError {
  return new AppError('not_found', 'No such webhook delivery');
}

async function attemptsOf(tx: Tx, customerId: number, deliveryId: string) {
  return tx
    .selectFrom('webhook_attempts')
    .select(['attempt', 'started_at', 'finished_at', 'outcome', 'status'])
    .where('customer_id', '=', customerId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt')
    .execute();
}

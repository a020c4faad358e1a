import type { Tx } from '../../platform/db/database.ts';
import type { Pickup } from './find-pickup.ts';
import '../tables.ts';

/** Lets one transaction at a time count at a pickup. */
export async function holdPickup(tx: Tx, { customerId, id }: Pickup): Promise<void> {
  await tx
    .selectFrom('pickups')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

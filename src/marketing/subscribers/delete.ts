import { requireNotHeld } from '../../accounts/index.ts';
import { ADDRESS_COLUMN, addressKey } from '../../email/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import '../tables.ts';

/**
 * Removes people and what lists know of them; their opt-outs and the evidence of consent stay. Throws where a legal hold
 * keeps one of them.
 */
export async function deleteSubscribers(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  // People before their subscriptions, as everybody else holds them.
  const people = await tx
    .selectFrom('subscribers')
    .select('email')
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const addresses = people.flatMap(({ email }) => (email === null ? [] : [email]));
  const indexes = addresses.map((address) => keys.blindIndex(ADDRESS_COLUMN, addressKey(address)));
  await requireNotHeld(tx, customerId, { people: indexes });
  await tx
    .deleteFrom('subscriptions')
    .where('customer_id', '=', customerId)
    .where('subscriber_id', 'in', ids)
    .execute();
  await tx.deleteFrom('subscribers').where('customer_id', '=', customerId).where('id', 'in', ids).execute();
}

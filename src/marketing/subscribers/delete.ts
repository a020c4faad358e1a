import { sql } from 'kysely';
import { requireNotHeld } from '../../accounts/index.ts';
import { ADDRESS_COLUMN, addressKey, suppressMany } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { removeSubscriptions } from '../subscriptions/remove.ts';
import '../tables.ts';

/**
 * Removes people and what lists know of them; their opt-outs and the evidence of consent stay, with when they were removed.
 * Who had opted out stays out at the address that they had last. Throws where a legal hold keeps one of them.
 */
export async function deleteSubscribers(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  customerId: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  // People before their subscriptions, as everybody else holds them.
  const people = await tx
    .selectFrom('subscribers')
    .select(['email', 'unsubscribed_at'])
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const indexes = addressesOf(people).map((address) => keys.blindIndex(ADDRESS_COLUMN, addressKey(address)));
  await requireNotHeld(tx, customerId, { people: indexes });
  // Their address may be another than the one that was suppressed when they opted out.
  const addresses = addressesOf(people.filter(({ unsubscribed_at: since }) => since !== null));
  await suppressMany(tx, keys, { customerId, addresses, reason: 'opt_out', messageId: null, at: clock.now() });
  await removeSubscriptions(tx, clock, customerId, sql`subscriber_id = any(${[...ids]}::uuid[])`);
  await noteRemoval(tx, clock, customerId, ids);
  await tx.deleteFrom('subscribers').where('customer_id', '=', customerId).where('id', 'in', ids).execute();
}

function addressesOf(people: readonly { email: string | null }[]): string[] {
  return people.flatMap(({ email }) => (email === null ? [] : [email]));
}

/** From then on evidence of consent is kept for its time; of whom there is none, nothing is noted. */
async function noteRemoval(tx: Tx, clock: Clock, customerId: number, ids: readonly string[]): Promise<void> {
  const now = clock.now();
  await sql`
    insert into consent_changes (id, customer_id, subscriber_id, change, source, evidence, at)
    select time_ordered_id(${now}), ${customerId}, c.subscriber_id, 'removed', 'api', '{}', ${now}
    from consent_changes c where c.customer_id = ${customerId} and c.subscriber_id = any(${[...ids]}::uuid[])
    group by c.subscriber_id`.execute(tx);
}

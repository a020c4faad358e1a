import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { type Owner, ofOwner } from '../of-owner.ts';
import { leaveLists } from './change.ts';
import { confirmList } from './confirmation.ts';
import { hasOptedOut, optInPeople, optOutPeople } from './opt-out.ts';
import { senderName } from './sender-name.ts';
import '../tables.ts';

/** What somebody gets from a sender. */
export interface Preferences {
  sender: string;
  optedOut: boolean;
  /** The lists that they are or were on. */
  lists: { id: number; name: string; on: boolean }[];
}

/** What somebody wants to get: nothing, something again, or just these lists. */
export type Wish = 'nothing' | 'again' | { lists: ReadonlySet<number> };

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** What a subscriber gets; null where there is no such person any more. */
export async function readPreferences(deps: Deps, subscriberId: string): Promise<Preferences | null> {
  return ofOwner(deps, lookupOf(subscriberId), (tx, owner) => read(tx, owner, subscriberId));
}

/** Does what somebody wishes, and answers what they get then. */
export async function savePreferences(deps: Deps, subscriberId: string, wish: Wish): Promise<Preferences | null> {
  return ofOwner(deps, lookupOf(subscriberId), async (tx, owner) => {
    const { customerId, keys } = owner;
    const person = { customerId, people: [subscriberId] };
    const evidence = { source: 'page', details: { how: 'page' }, at: deps.clock.now() } as const;
    const { optedOut, lists } = await read(tx, owner, subscriberId);
    if (wish === 'nothing') await optOutPeople(tx, keys, person, evidence);
    else if (wish === 'again') await optInPeople(tx, keys, { ...person, lists: [] }, evidence);
    else if (!optedOut) {
      const left = lists.filter(({ id, on }) => on && !wish.lists.has(id)).map(({ id }) => id);
      const joined = lists.filter(({ id, on }) => !on && wish.lists.has(id)).map(({ id }) => id);
      await leaveLists(tx, { ...person, lists: left }, evidence);
      await optInPeople(tx, keys, { ...person, lists: joined }, evidence);
      // The link came by mail, so whoever holds it has shown that the address is theirs.
      for (const listId of joined) await confirmList(tx, { customerId, subscriberId, listId }, evidence);
    }
    return read(tx, owner, subscriberId);
  });
}

function lookupOf(subscriberId: string) {
  return sql<number | null>`find_subscriber_customer(${subscriberId})`;
}

async function read(tx: Tx, { customerId, keys }: Owner, subscriberId: string): Promise<Preferences> {
  const person = await tx
    .selectFrom('subscribers')
    .select(['email', 'unsubscribed_at'])
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom('subscriptions as c')
    .innerJoin('subscription_lists as l', (join) =>
      join.onRef('l.customer_id', '=', 'c.customer_id').onRef('l.id', '=', 'c.subscription_list_id'),
    )
    .select(['l.id', 'l.name', 'c.pending', 'c.unsubscribed_at'])
    .where('c.customer_id', '=', customerId)
    .where('c.subscriber_id', '=', subscriberId)
    .orderBy('l.is_default', 'desc')
    .orderBy('l.name')
    .orderBy('l.id')
    .execute();
  return {
    sender: await senderName(tx, customerId),
    optedOut: await hasOptedOut(tx, keys, customerId, person),
    lists: rows.map(({ id, name, pending, unsubscribed_at: left }) => ({ id, name, on: left === null && !pending })),
  };
}

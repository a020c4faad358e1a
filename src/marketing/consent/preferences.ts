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

/** A link to what somebody gets: who it is, and how often their address had changed when it was made. */
export interface PreferencesLink {
  id: string;
  number: number;
}

/** What somebody gets from a sender. */
export interface Preferences {
  sender: string;
  /** Not by a link that was made for an address that is theirs no more: whoever holds it can only leave. */
  mayJoin: boolean;
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
export async function readPreferences(deps: Deps, link: PreferencesLink): Promise<Preferences | null> {
  return ofOwner(deps, lookupOf(link), (tx, owner) => read(tx, owner, link));
}

/** Does what somebody wishes as far as their link goes, and answers what they get then. */
export async function savePreferences(deps: Deps, link: PreferencesLink, wish: Wish): Promise<Preferences | null> {
  return ofOwner(deps, lookupOf(link), async (tx, owner) => {
    const { customerId, keys } = owner;
    const subscriberId = link.id;
    await holdAddress(tx, customerId, subscriberId);
    const person = { customerId, people: [subscriberId] };
    const evidence = { source: 'page', details: { how: 'page' }, at: deps.clock.now() } as const;
    const before = await read(tx, owner, link);
    if (before === null) return null;
    const { mayJoin, optedOut, lists } = before;
    if (wish === 'nothing') await optOutPeople(tx, keys, person, evidence);
    else if (wish === 'again') {
      if (mayJoin) await optInPeople(tx, keys, { ...person, lists: [] }, evidence);
    } else if (!optedOut) {
      const left = lists.filter(({ id, on }) => on && !wish.lists.has(id)).map(({ id }) => id);
      const joined = lists.filter(({ id, on }) => mayJoin && !on && wish.lists.has(id)).map(({ id }) => id);
      await leaveLists(tx, { ...person, lists: left }, evidence);
      await optInPeople(tx, keys, { ...person, lists: joined }, evidence);
      // The link came by mail, so whoever holds it has shown that the address is theirs.
      for (const listId of joined) await confirmList(tx, { customerId, subscriberId, listId }, evidence);
    }
    return read(tx, owner, link);
  });
}

function lookupOf({ id }: PreferencesLink) {
  return sql<number | null>`find_subscriber_customer(${id})`;
}

/** What a link may do is done before their address changes, or not at all. */
async function holdAddress(tx: Tx, customerId: number, subscriberId: string): Promise<void> {
  await tx
    .selectFrom('subscribers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .forNoKeyUpdate()
    .execute();
}

async function read(
  tx: Tx,
  { customerId, keys }: Owner,
  { id: subscriberId, number }: PreferencesLink,
): Promise<Preferences | null> {
  const person = await tx
    .selectFrom('subscribers')
    .select(['email', 'unsubscribed_at', 'address_changes'])
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .executeTakeFirst();
  if (person === undefined) return null;
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
    mayJoin: number === person.address_changes,
    optedOut: await hasOptedOut(tx, keys, customerId, person),
    lists: rows.map(({ id, name, pending, unsubscribed_at: left }) => ({ id, name, on: left === null && !pending })),
  };
}

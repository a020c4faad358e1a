import { sql } from 'kysely';
import { hasHoldsBeyondPeople, recordAct, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { heldSubscribers } from '../subscribers/held-subscribers.ts';
import { removeSubscriptions } from '../subscriptions/remove.ts';
import '../tables.ts';

const PAGE = 10_000;

/** The side job that removes who was on a list that is gone. */
export const EMPTY_LIST = 'marketing.empty-list';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
}

interface Which {
  customerId: number;
  listId: number;
}

/** How many a page removed, and who stays, as a legal hold keeps them. */
interface Emptied {
  removed: number;
  hasMore: boolean;
  held: string[];
}

/** Lets a side job remove who is on a list that is gone. */
export function emptyLater(tx: Tx, { customerId, listId }: Which): Promise<void> {
  return enqueueJob(tx, EMPTY_LIST, { customerId, listId }, `empty-list/${listId}`);
}

/**
 * Removes one page of those who were on a list that is gone, but for people who are held. Whoever asks has made sure that
 * nothing else is.
 */
export async function emptyListPage(tx: Tx, { clock, keys }: Deps, { customerId, listId }: Which): Promise<Emptied> {
  const kept = await heldSubscribers(tx, keys, customerId);
  const onList = sql<boolean>`id in (select id from subscriptions where customer_id = ${customerId}
    and subscription_list_id = ${listId} and subscriber_id <> all(${kept}::uuid[]) limit ${PAGE})`;
  const removed = await removeSubscriptions(tx, clock, customerId, onList);
  const hasMore = removed === PAGE;
  const held = await silence(tx, { customerId, listId }, kept);
  if (!hasMore) {
    await tx
      .deleteFrom('list_counts')
      .where('customer_id', '=', customerId)
      .where('subscription_list_id', '=', listId)
      .execute();
  }
  return { removed, hasMore, held };
}

/** What is kept of a place on a list that is gone tells of it alone: nobody is counted or written to by it. */
async function silence(tx: Tx, { customerId, listId }: Which, people: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update subscriptions set active = false
    where customer_id = ${customerId} and subscription_list_id = ${listId} and subscriber_id = any(${people}::uuid[])
    returning subscriber_id as id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Removes everybody who was on a list that is gone, page by page; the audit log names who is held. It ends where a hold keeps
 * anything but people: the sweep begins it again.
 */
export async function emptyList(
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
  which: Which,
): Promise<void> {
  const { customerId, listId } = which;
  const act = { customerId, actor: { kind: 'worker', id: 'lists' }, action: 'list.emptied', requestId: null } as const;
  const keys = await vault.of(customerId);
  let isEmptier = false;
  const emptyPage = async (tx: Tx) => {
    await shareHolds(tx, customerId);
    if (await hasHoldsBeyondPeople(tx, customerId)) return false;
    const { removed, hasMore, held } = await emptyListPage(tx, { clock, keys }, which);
    isEmptier ||= removed > 0;
    if (!hasMore && isEmptier && held.length > 0)
      await recordAct(tx, clock, act, { target: String(listId), details: { held } });
    return hasMore;
  };
  while (await db.tenant([customerId], emptyPage));
}

import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import { joinLists, leaveLists } from '../../../consent/change.ts';
import type { ListNode } from '../../graph/graph.ts';
import type { TakeStep } from './turn.ts';
import '../../../tables.ts';

/** Puts people on a list or takes them off; whoever left a list by themselves stays off. */
export const takeList: TakeStep<ListNode> = async ({ tx, clock, drip }, node, walkers) => {
  const list = Number('add' in node ? node.add : node.remove);
  const people = walkers.map(({ person }) => person.subscriber_id);
  const change = { customerId: drip.customer_id, people, lists: [list] };
  const evidence = { source: 'drip' as const, details: { drip: drip.id, step: node.id }, at: clock.now() };
  if ('add' in node) {
    await joinLists(tx, change, evidence, false);
    const back = await takenOff(tx, drip.customer_id, list, people);
    if (back.length > 0) await joinLists(tx, { ...change, people: back }, evidence, true);
  } else {
    await leaveLists(tx, change, evidence);
  }
  return walkers.map(() => ({ to: node.next }));
};

/** Those who are off a list since a drip took them off, held so that they do not opt out meanwhile. */
async function takenOff(tx: Tx, customerId: number, list: number, people: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from subscriptions c join subscribers s on s.customer_id = c.customer_id and s.id = c.subscriber_id
    where c.customer_id = ${customerId} and c.subscription_list_id = ${list} and c.subscriber_id = any(${people}::uuid[])
      and c.unsubscribed_at is not null and s.unsubscribed_at is null
      and exists (select from consent_changes h where h.customer_id = ${customerId} and h.subscriber_id = c.subscriber_id
        and h.subscription_list_id = ${list} and h.change = 'left' and h.source = 'drip' and h.at = c.unsubscribed_at)
    order by s.id for share of s for update of c`.execute(tx);
  return rows.map(({ id }) => id);
}

import { joinLists, leaveLists } from '../../../consent/change.ts';
import type { ListNode } from '../../graph/graph.ts';
import type { TakeStep } from './turn.ts';

/** Puts people on a list or takes them off; whoever has left a list stays off. */
export const takeList: TakeStep<ListNode> = async ({ tx, clock, drip }, node, walkers) => {
  const list = Number('add' in node ? node.add : node.remove);
  const people = walkers.map(({ person }) => person.subscriber_id);
  const change = { customerId: drip.customer_id, people, lists: [list] };
  const evidence = { source: 'drip' as const, details: { drip: drip.id, step: node.id }, at: clock.now() };
  if ('add' in node) await joinLists(tx, change, evidence, false);
  else await leaveLists(tx, change, evidence);
  return walkers.map(() => ({ to: node.next }));
};

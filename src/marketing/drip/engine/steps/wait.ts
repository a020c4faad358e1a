import type { WaitNode } from '../../graph/graph.ts';
import type { Walker } from '../traveller.ts';
import { whoFits } from '../who-fits.ts';
import { afterSpanOf, waitUntil } from './delay.ts';
import type { Leg, TakeStep, Turn } from './turn.ts';

/** Lets everybody wait for something to happen, as long as they may. */
export const takeWait: TakeStep<WaitNode> = async (leg, node, walkers) => {
  const already = await whoDidAlready(leg, node, walkers);
  return walkers.map((walker): Turn => {
    if (walker.woken || already.has(walker.person.id)) return { to: node.then, outcome: 'then' };
    if (walker.inside) return { to: node.else, outcome: 'else' };
    if (node.timeout === undefined) return { rest: null };
    const turn = waitUntil(walker, afterSpanOf(leg, walker, node.timeout), node.else);
    return 'to' in turn ? { ...turn, outcome: 'else' } : turn;
  });
};

/**
 * Who has opened the mailing or followed a link in it by the time they come to wait for that: it does not happen a second
 * time. In a loop the next mail is meant, so that the last one does not count.
 */
async function whoDidAlready(
  { tx, clock, drip, version }: Leg,
  node: WaitNode,
  walkers: Walker[],
): Promise<Set<string>> {
  const { event } = node.for;
  const arriving = walkers.filter(({ inside, woken }) => !inside && !woken).map(({ person }) => person);
  if ((event !== 'opened' && event !== 'clicked') || version.loops.has(node.id) || arriving.length === 0)
    return new Set();
  const test =
    event === 'opened' ? { opened: node.for.campaign_mailing_id } : { clicked: node.for.campaign_mailing_id };
  return whoFits(tx, { customerId: drip.customer_id, at: clock.now() }, test, null, arriving);
}

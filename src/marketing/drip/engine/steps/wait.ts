import type { WaitNode } from '../../graph/graph.ts';
import { whoDidAlready } from '../who-did-already.ts';
import { afterSpanOf, waitUntil } from './delay.ts';
import type { TakeStep, Turn } from './turn.ts';

/** Lets everybody wait for something to happen, as long as they may. */
export const takeWait: TakeStep<WaitNode> = async (leg, node, walkers) => {
  const { tx, clock, drip, version } = leg;
  const arriving = walkers.filter(({ inside, woken }) => !inside && !woken).map(({ person }) => person);
  const occasion = { customerId: drip.customer_id, at: clock.now() };
  const already = await whoDidAlready(tx, occasion, { node, loops: version.loops }, arriving);
  return walkers.map((walker): Turn => {
    if (walker.woken || already.has(walker.person.id)) return { to: node.then, outcome: 'then' };
    if (walker.inside) return { to: node.else, outcome: 'else' };
    if (node.timeout === undefined) return { rest: null };
    const turn = waitUntil(walker, afterSpanOf(leg, walker, node.timeout), node.else);
    return 'to' in turn ? { ...turn, outcome: 'else' } : turn;
  });
};

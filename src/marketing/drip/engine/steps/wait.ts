import type { WaitNode } from '../../graph/graph.ts';
import { afterSpanOf, waitUntil } from './delay.ts';
import type { TakeStep, Turn } from './turn.ts';

/** Lets everybody wait for something to happen, as long as they may. */
export const takeWait: TakeStep<WaitNode> = (leg, node, walkers) =>
  walkers.map((walker): Turn => {
    if (walker.inside) {
      return walker.woken ? { to: node.then, outcome: 'then' } : { to: node.else, outcome: 'else' };
    }
    if (node.timeout === undefined) return { rest: null };
    const turn = waitUntil(walker, afterSpanOf(leg, walker, node.timeout), node.else);
    return 'to' in turn ? { ...turn, outcome: 'else' } : turn;
  });

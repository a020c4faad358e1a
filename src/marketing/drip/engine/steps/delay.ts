import { zoneOr } from '../../../local-time.ts';
import type { DelayNode, Span } from '../../graph/graph.ts';
import { afterSpan, nextUntil } from '../../timing/delay.ts';
import type { Walker } from '../traveller.ts';
import type { Leg, TakeStep, Turn } from './turn.ts';

/** Lets everybody wait, by the clock of their own zone. */
export const takeDelay: TakeStep<DelayNode> = (leg, node, walkers) =>
  walkers.map((walker) => {
    if (walker.inside) return { to: node.next };
    const over =
      'span' in node ? afterSpanOf(leg, walker, node.span) : nextUntil(walker.at, node.until, zoneOf(leg, walker));
    return waitUntil(walker, over, node.next);
  });

export function afterSpanOf(leg: Leg, walker: Walker, span: Span): Date {
  return afterSpan(walker.at, span, zoneOf(leg, walker));
}

/** Waits, unless the time of waiting lies in a pause that is lived through. */
export function waitUntil({ skipUntil }: Walker, over: Date, to: string | null): Turn {
  return skipUntil !== null && over <= skipUntil ? { to, at: over } : { rest: over };
}

function zoneOf({ drip }: Leg, { person }: Walker): string {
  return zoneOr(person.time_zone, drip.time_zone);
}

import * as fc from 'fast-check';
import { reachable, waysAmong } from '../../../src/marketing/drip/graph/graph.examples.ts';
import type { Graph, Node } from '../../../src/marketing/drip/graph/graph.ts';
import { isEndless, type Link, linksOf } from '../../../src/marketing/drip/graph/links.ts';
import { makeGraph, makeNode } from '../../../src/marketing/drip/graph/make-graph.ts';
import type { OwnFields } from '../../../src/marketing/drip/graph/own-fields.ts';

/** What the steps of a drip may name. */
export interface Named {
  mailing: string;
  /** The list of the drip itself, that of another drip, one that nobody waits for, and one that people wait for. */
  own: string;
  other: string;
  side: string;
  awaited: string;
  field: string;
  /** Whether two ways of one person through the drip may be open at once. */
  crowded: boolean;
}

type Kind = (typeof KINDS)[number];

/** A graph in which nothing is named yet. */
export interface Recipe {
  kind: Kind;
  one: number;
  other: number;
  far: boolean;
}

const MAKERS = {
  email: ({ mailing }: Named) => ({ type: 'email', campaign_mailing_id: mailing }),
  minutes: () => ({ type: 'delay', span: { minutes: 30 } }),
  hours: () => ({ type: 'delay', span: { hours: 5 } }),
  day: () => ({ type: 'delay', span: { days: 1 } }),
  week: () => ({ type: 'delay', span: { weeks: 1 } }),
  month: () => ({ type: 'delay', span: { months: 1 } }),
  morning: () => ({ type: 'delay', until: { time: '09:00' } }),
  night: () => ({ type: 'delay', until: { time: '02:30' } }),
  sunday: () => ({ type: 'delay', until: { weekday: 7, time: '01:15' } }),
  branch: ({ field }: Named) => ({ type: 'branch', if: { field, op: 'is', terms: ['a'] } }),
  ping: () => ({ type: 'wait', for: { event: 'custom', name: 'ping' }, timeout: { days: 1, hours: 2 } }),
  pong: () => ({ type: 'wait', for: { event: 'custom', name: 'pong' } }),
  joined: ({ awaited }: Named) => ({
    type: 'wait',
    for: { event: 'joined', subscription_list_id: awaited },
    timeout: { hours: 3 },
  }),
  addSide: ({ side }: Named) => ({ type: 'list', add: side }),
  addOther: ({ other }: Named) => ({ type: 'list', add: other }),
  removeSide: ({ side }: Named) => ({ type: 'list', remove: side }),
  // Two ways of one person at once would depend on which is gone first.
  removeOwn: ({ own, side, crowded }: Named) => ({ type: 'list', remove: crowded ? side : own }),
  setA: ({ field, crowded }: Named) => ({ type: 'field', name: crowded ? 'note' : field, value: 'a' }),
  setB: ({ field, crowded }: Named) => ({ type: 'field', name: crowded ? 'note' : field, value: 'b' }),
  exit: () => ({ type: 'exit' }),
} satisfies Record<string, (named: Named) => OwnFields>;

const KINDS = Object.keys(MAKERS) as (keyof typeof MAKERS)[];
const WEIGHTED = [
  ...KINDS,
  ...Array.from({ length: 8 }, (): Kind => 'email'),
  'minutes',
  'hours',
  'day',
  'morning',
] as Kind[];

/** Few steps: what can go wrong goes wrong in small graphs. */
export const recipe: fc.Arbitrary<Recipe[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...WEIGHTED),
    one: fc.nat(9),
    other: fc.nat(9),
    far: fc.constantFrom(false, false, true),
  }),
  { minLength: 2, maxLength: 7, size: 'max' },
);

/** The graph of a recipe: what is stray is left out, and loops without rest get delays. */
export function cook(recipes: readonly Recipe[], named: Named): Graph {
  const ids = recipes.map((_, index) => `s${index}`);
  const target = (at: number, far: boolean, pick: number) =>
    ids[far ? pick % (ids.length + 1) : at + 1 + (pick % 2)] ?? null;
  const nodes = recipes.map(({ kind, one, other, far }, at) => {
    const own = MAKERS[kind](named);
    const way = target(at, far, one);
    const links = new Map<Link, string | null>([
      ['next', way],
      ['then', way],
      ['else', isEndless(own) ? null : target(at, false, other)],
    ]);
    return makeNode(ids[at] as string, own, links);
  });
  return restful({ first: 's0', nodes }, named);
}

function restful(graph: Graph, named: Named): Graph {
  const nodes = reachable(graph);
  for (let at = restless(nodes, named); at !== -1; at = restless(nodes, named)) {
    const node = nodes[at] as Node;
    nodes[at] = makeNode(node.id, MAKERS.hours(), new Map([['next', linksOf(node)[0] ?? null]]));
  }
  return makeGraph(graph.first, reachable({ first: graph.first, nodes }));
}

/** A step on a loop without a delay or a wait, or one that takes people off their list in a loop, or -1. */
function restless(nodes: readonly Node[], { own }: Named): number {
  const [ways, moving] = [waysAmong(nodes), nodes.filter(({ type }) => type !== 'delay' && type !== 'wait')];
  const waysOfMoving = waysAmong(moving);
  const found =
    moving.find((_, at) => waysOfMoving[at]?.[at]) ??
    nodes.find((node, at) => ways[at]?.[at] && node.type === 'list' && 'remove' in node && node.remove === own);
  return found === undefined ? -1 : nodes.indexOf(found);
}

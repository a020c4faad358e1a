import * as fc from 'fast-check';
import type { Graph, Node } from './graph.ts';
import { followersOf, isEndless, type Link, linksOf } from './links.ts';
import { makeGraph, makeNode } from './make-graph.ts';
import type { OwnFields } from './own-fields.ts';

const FORM = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

/** At least one of everything that a step can do. */
export const OWN_FIELDS: readonly OwnFields[] = [
  { type: 'email', campaign_mailing_id: '17' },
  { type: 'email', campaign_mailing_id: '9007199254740991', subject: 'Hello {{first_name}}' },
  { type: 'delay', span: { days: 3 } },
  { type: 'delay', until: { weekday: 7, time: '23:59' } },
  { type: 'delay', until: { time: '00:00' } },
  { type: 'branch', if: { field: 'email', op: 'ends_with', terms: ['.org', 'é'] } },
  { type: 'branch', if: { filters: [[{ field: 'list', op: 'is', terms: ['3'] }]] } },
  { type: 'branch', if: { segment: FORM } },
  { type: 'branch', if: { opened: '17' } },
  { type: 'branch', if: { clicked: '17' } },
  { type: 'wait', for: { event: 'opened', campaign_mailing_id: '17' }, timeout: { days: 2, hours: 3 } },
  { type: 'wait', for: { event: 'form_submitted', form_id: FORM }, timeout: { minutes: 1 } },
  { type: 'wait', for: { event: 'left', subscription_list_id: '3' } },
  { type: 'wait', for: { event: 'custom', name: 'opened' } },
  { type: 'list', add: '3' },
  { type: 'list', remove: '3' },
  { type: 'field', name: '__proto__', value: '' },
  { type: 'webhook', url: 'https://example.org/hook' },
  { type: 'exit' },
];

const DELAY = OWN_FIELDS[2] as OwnFields;
const EVIL_IDS = ['__proto__', 'constructor', 's2', 'toString', 's1', 'then', '-', '7'];

/** A graph of any shape, in which steps may be stray, lost in loops or lead to where nothing is. */
export function anyGraph(lostLinks: boolean): fc.Arbitrary<Graph> {
  const step = fc.record({ own: fc.constantFrom(...OWN_FIELDS), one: fc.nat(), other: fc.nat(), far: fc.boolean() });
  return fc.array(step, { maxLength: 30, size: 'max' }).map((steps) => {
    const ids = steps.map((_, index) => EVIL_IDS[index] ?? `n${index}`);
    const target = (at: number, far: boolean, pick: number): string | null => {
      if (lostLinks && pick % 97 === 0) return 'nowhere';
      const index = far ? pick % (ids.length + 1) : at + 1 + (pick % 3);
      return ids[index] ?? null;
    };
    const nodes = steps.map(({ own, one, other, far }, at) => {
      const way = target(at, far, one);
      const links = new Map<Link, string | null>([
        ['next', way],
        ['then', way],
        ['else', isEndless(own) ? null : target(at, far, other)],
      ]);
      return makeNode(ids[at] as string, own, links);
    });
    return { first: ids[0] ?? null, nodes };
  });
}

/** A graph that can be run: what is stray is left out, and loops without rest get delays. */
export const validGraph: fc.Arbitrary<Graph> = anyGraph(false).map((graph) => {
  const nodes = reachable(graph);
  for (let at = restless(nodes); at !== -1; at = restless(nodes)) {
    const node = nodes[at] as Node;
    nodes[at] = makeNode(node.id, DELAY, new Map([['next', linksOf(node)[0] ?? null]]));
  }
  return makeGraph(graph.first, reachable({ ...graph, nodes }));
});

/** Which steps lead to which in one or more goes, found by joining ways until there is nothing to join. */
export function waysAmong(nodes: readonly Node[]): boolean[][] {
  const ways = nodes.map((from) => nodes.map((to) => followersOf(from).includes(to.id)));
  for (const via of nodes.keys()) {
    for (const row of ways.filter((each) => each[via])) {
      for (const to of nodes.keys()) row[to] ||= ways[via]?.[to] ?? false;
    }
  }
  return ways;
}

/** The steps that can be come to, in their order. */
export function reachable({ first, nodes }: Graph): Node[] {
  const start = nodes.findIndex(({ id }) => id === first);
  const ways = waysAmong(nodes)[start];
  return nodes.filter((_, at) => at === start || ways?.[at]);
}

/** A step on a loop without a delay or a wait, or -1. */
function restless(nodes: readonly Node[]): number {
  const moving = nodes.filter(({ type }) => type !== 'delay' && type !== 'wait');
  const ways = waysAmong(moving);
  const found = moving.find((_, at) => ways[at]?.[at]);
  return found === undefined ? -1 : nodes.indexOf(found);
}

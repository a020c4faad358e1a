import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { AppError } from '../../../platform/errors.ts';
import { checkGraph } from './check-graph.ts';
import { anyGraph, reachable, validGraph, waysAmong } from './graph.examples.ts';
import type { Graph, Node } from './graph.ts';
import { followersOf, nodeById } from './links.ts';
import { stepsInLoops } from './loops.ts';

/** What a graph is refused for, or null. */
function faultOf(graph: Graph): string | null {
  try {
    checkGraph('steps', graph);
    return null;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'unprocessable' && error.status === 422);
    assert.equal(error.message, `steps: ${error.fields.steps?.[0]}`);
    return error.message;
  }
}

const email = (id: string, next: string | null): Node => ({ id, type: 'email', campaign_mailing_id: '1', next });
const delay = (id: string, next: string | null): Node => ({ id, type: 'delay', span: { days: 1 }, next });

test('a graph is refused for what is wrong with it, naming the step', () => {
  const cases: [string | null, Node[], string | null][] = [
    [null, [], null],
    ['a', [email('a', null)], null],
    ['b', [email('a', null)], 'steps: begins with a step that does not exist'],
    [null, [email('a', null)], 'steps: nothing leads to step a'],
    ['a', [email('a', 'b')], 'steps: step a leads to a step that does not exist'],
    ['a', [email('a', null), email('b', 'a')], 'steps: nothing leads to step b'],
    ['a', [email('a', 'a')], 'steps: step a lies in a loop without a delay or a wait'],
    [
      'a',
      [email('a', 'b'), email('b', 'c'), email('c', 'b')],
      'steps: step b lies in a loop without a delay or a wait',
    ],
    ['a', [email('a', 'b'), delay('b', 'a')], null],
    ['a', [delay('a', 'a')], null],
    ['__proto__', [email('__proto__', 'constructor')], 'steps: step __proto__ leads to a step that does not exist'],
  ];
  for (const [first, nodes, fault] of cases) assert.equal(faultOf({ first, nodes }), fault);
});

test('a wait with or without a timeout is rest enough for a loop', () => {
  const happening = { event: 'custom', name: 'x' } as const;
  const back = new Map([['then', 'a']]);
  const wait = { id: 'b', type: 'wait', for: happening, ...Object.fromEntries(back), else: null } as Node;
  assert.equal(faultOf({ first: 'a', nodes: [email('a', 'b'), wait] }), null);
  assert.equal(faultOf({ first: 'a', nodes: [email('a', 'b'), { ...wait, timeout: { days: 1 } } as Node] }), null);
});

/** Whether something is left when steps that lead to nothing that is left are taken away, again and again. */
function holdsLoop(nodes: Node[]): boolean {
  const left = nodes.filter((node) => followersOf(node).some((to) => nodes.some(({ id }) => id === to)));
  return left.length === nodes.length ? nodes.length > 0 : holdsLoop(left);
}

function expectedFault(graph: Graph): RegExp | null {
  const byId = nodeById(graph);
  if (graph.nodes.some((node) => followersOf(node).some((to) => !byId.has(to)))) return /leads to a step that does not/;
  if (reachable(graph).length < graph.nodes.length) return /nothing leads to step/;
  const moving = graph.nodes.filter(({ type }) => type !== 'delay' && type !== 'wait');
  return holdsLoop(moving) ? /lies in a loop without/ : null;
}

test('graphs are refused as a slow and simple check refuses them', () => {
  const seen = new Set<string>();
  const check = (graph: Graph) => {
    const expected = expectedFault(graph);
    const fault = faultOf(graph);
    seen.add(String(expected));
    if (expected === null) assert.equal(fault, null);
    else assert.match(fault ?? '', expected);
  };
  const connected = anyGraph(false).map((graph) => ({ ...graph, nodes: reachable(graph) }));
  fc.assert(fc.property(fc.oneof(anyGraph(true), anyGraph(false), connected, validGraph), check), { numRuns: 1_000 });
  assert.equal(seen.size, 4);
});

test('steps in loops are those that lead to themselves', () => {
  fc.assert(
    fc.property(anyGraph(true), (graph) => {
      const ways = waysAmong(graph.nodes);
      const expected = graph.nodes.filter((_, at) => ways[at]?.[at]).map(({ id }) => id);
      assert.deepEqual([...stepsInLoops(graph)].toSorted(), expected.toSorted());
    }),
    { numRuns: 500 },
  );
});

test('a loop of very many steps is found', () => {
  const nodes = Array.from({ length: 100_000 }, (_, at) => email(`n${at}`, `n${(at + 1) % 100_000}`));
  assert.equal(stepsInLoops({ first: 'n0', nodes }).size, 100_000);
});

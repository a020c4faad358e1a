import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_STEPS } from './graph.ts';
import { linksOf } from './links.ts';
import { readNodes } from './read-nodes.ts';
import { refusalOf } from './refusals.examples.ts';

const exit = (id: unknown, more: object = {}) => ({ id, type: 'exit', ...more });
const email = (id: unknown, next?: unknown) => ({ id, type: 'email', campaign_mailing_id: 1, next });
const ways = (then?: unknown, otherwise?: unknown) => ({ then, else: otherwise });
const branch = (id: unknown, then?: unknown, otherwise?: unknown) => ({
  id,
  type: 'branch',
  if: { opened: 1 },
  ...ways(then, otherwise),
});
const wait = (id: unknown, timeout: unknown, then?: unknown, otherwise?: unknown) => ({
  id,
  type: 'wait',
  for: { opened: 1 },
  timeout,
  ...ways(then, otherwise),
});
const edge = (from: unknown, to: unknown, when?: unknown) => ({ from, to, when });

const linksAmong = (wire: unknown) => {
  const { first, nodes } = readNodes('nodes', wire);
  return [first, ...nodes.map((node) => [node.id, ...linksOf(node)].join(' '))];
};

test('nodes lead where they say, or where edges say', () => {
  const cases: [unknown, (string | null)[]][] = [
    [[], [null]],
    [{ nodes: [] }, [null]],
    [
      [email('a', 'b'), email('b', null)],
      ['a', 'a b', 'b '],
    ],
    [
      [email(1, 2), exit(2)],
      ['1', '1 2', '2'],
    ],
    [[exit('a', { next: null, ...ways(null, null) })], ['a', 'a']],
    [
      [branch('a', 'b'), email('b')],
      ['a', 'a b ', 'b '],
    ],
    [
      [wait('a', null, 'b', null), email('b')],
      ['a', 'a b', 'b '],
    ],
    [{ nodes: [email('a', 'b'), email('b')], edges: null, first: null }, ['a', 'a b', 'b ']],
    [{ first: 'b', nodes: [email('a'), email('b')], edges: [edge('b', 'a')] }, ['b', 'b a', 'a ']],
    [{ nodes: [email('a', 'b'), exit('b')], edges: [edge('a', 'b'), edge('a', 'b', null)] }, ['a', 'a b', 'b']],
    [
      {
        nodes: [branch('__proto__'), exit(1), exit(2)],
        edges: [edge('__proto__', 2, 'else'), edge('__proto__', 1, 'then')],
      },
      ['__proto__', '__proto__ 1 2', '1', '2'],
    ],
  ];
  for (const [wire, links] of cases) assert.deepEqual(linksAmong(wire), links);
});

test('nodes and edges that are malformed are refused by their place', () => {
  const edges = (...list: unknown[]) => ({ nodes: [branch('a'), email('b'), wait('c', null), exit('d')], edges: list });
  const cases: [unknown, string][] = [
    [5, 'nodes'],
    ['[]', 'nodes'],
    [{}, 'nodes.nodes'],
    [{ nodes: {} }, 'nodes.nodes'],
    [[5], 'nodes[0]'],
    [{ nodes: [exit('a'), null] }, 'nodes.nodes[1]'],
    [[exit(undefined)], 'nodes[0].id'],
    [[exit('a b')], 'nodes[0].id'],
    [[exit('a'), exit('b'), exit('a')], 'nodes[2].id'],
    [[{ id: 'a', type: 'goto', step: 'a' }], 'nodes[0].type'],
    [[exit('a'), { id: 'b', type: 'delay', hours: 'x' }], 'nodes[1].hours'],
    [[exit('a', { next: 'b' })], 'nodes[0].next'],
    [[email('a', 'b c')], 'nodes[0].next'],
    [[email('a', ['b'])], 'nodes[0].next'],
    [[{ ...email('a'), ...ways('b') }], 'nodes[0].then'],
    [[{ ...branch('a'), next: 'b' }], 'nodes[0].next'],
    [[wait('a', null, 'b', 'b'), email('b')], 'nodes[0].else'],
    [{ nodes: [exit('a')], first: {} }, 'nodes.first'],
    [{ nodes: [exit('a')], edges: {} }, 'nodes.edges'],
    [edges(5), 'nodes.edges[0]'],
    [edges(edge(null, 'a')), 'nodes.edges[0].from'],
    [edges(edge('b', null)), 'nodes.edges[0].to'],
    [edges(edge('a', 'b', 'next')), 'nodes.edges[0].when'],
    [edges(edge('a', 'b')), 'nodes.edges[0]'],
    [edges(edge('d', 'b')), 'nodes.edges[0]'],
    [edges(edge('b', 'a', 'then')), 'nodes.edges[0].when'],
    [edges(edge('c', 'a', 'else')), 'nodes.edges[0].when'],
    [edges(edge('b', 'a'), edge('b', 'c')), 'nodes.edges[1]'],
    [edges(edge('a', 'b', 'then'), edge('a', 'c', 'then')), 'nodes.edges[1].when'],
    [{ nodes: [email('a', 'b'), exit('b'), exit('c')], edges: [edge('a', 'c')] }, 'nodes.edges[0]'],
  ];
  for (const [wire, place] of cases) {
    const refusal = refusalOf(() => readNodes('nodes', wire));
    assert.deepEqual([refusal?.code, refusal?.field], ['invalid_request', place], JSON.stringify(wire));
  }
});

test('an edge from a step that is not there is a fault of the graph', () => {
  const refusal = refusalOf(() => readNodes('nodes', { nodes: [], edges: [edge('constructor', 'a')] }));
  assert.deepEqual([refusal?.code, refusal?.field], ['unprocessable', 'nodes.edges[0].from']);
});

const chain = (count: number) => Array.from({ length: count }, (_, at) => email(at, at + 1));
const sameEdges = (count: number) => Array.from({ length: count }, () => edge('0', '1'));

test('there are at most so many nodes and edges', () => {
  assert.equal(readNodes('nodes', chain(MOST_STEPS)).nodes.length, MOST_STEPS);
  assert.equal(readNodes('nodes', { nodes: chain(2), edges: sameEdges(2 * MOST_STEPS) }).nodes.length, 2);
  for (const [wire, field] of [
    [chain(MOST_STEPS + 1), 'nodes'],
    [{ nodes: chain(1_000_000) }, 'nodes.nodes'],
    [{ nodes: chain(2), edges: sameEdges(2 * MOST_STEPS + 1) }, 'nodes.edges'],
  ] as const) {
    const refusal = refusalOf(() => readNodes('nodes', wire));
    assert.deepEqual([refusal?.code, refusal?.field], ['unprocessable', field]);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { AppError } from '../../../platform/errors.ts';
import { OWN_FIELDS, validGraph } from './graph.examples.ts';
import type { Graph } from './graph.ts';
import { sameGraph } from './make-graph.ts';
import { readGraph, type WireGraph } from './read-graph.ts';
import { refusalOf } from './refusals.examples.ts';
import { writeNodes, writeTree } from './write-nodes.ts';
import { writeSteps } from './write-steps.ts';

const steps = [{ id: 'a', type: 'exit' }];
const graph: Graph = { first: 'a', nodes: [{ id: 'a', type: 'exit' }] };

test('a graph is read from whichever view is given, as JSON or as JSON in a text', () => {
  const given: WireGraph[] = [
    { steps },
    { steps: JSON.stringify(steps) },
    { steps, drip_campaign_nodes: null, drip_campaign_tree_blob: ' ' },
    { drip_campaign_nodes: JSON.stringify(steps) },
    { drip_campaign_tree_blob: writeTree(graph) },
    { drip_campaign_nodes: { nodes: steps } },
    { steps, drip_campaign_nodes: writeNodes(graph), drip_campaign_tree_blob: writeTree(graph) },
  ];
  for (const wire of given) assert.deepEqual(readGraph(wire), graph);
});

test('no graph is given where every view is absent, null or blank', () => {
  const given: WireGraph[] = [{}, { steps: null }, { steps: '' }, { drip_campaign_nodes: 'null' }];
  for (const wire of given) assert.equal(readGraph(wire), undefined);
  assert.deepEqual(readGraph({ steps: [] }), { first: null, nodes: [] });
});

test('views that are given at once must show the same graph', () => {
  const refusal = refusalOf(() => readGraph({ steps, drip_campaign_tree_blob: '[]' }));
  assert.deepEqual([refusal?.code, refusal?.field], ['invalid_request', 'drip_campaign.drip_campaign_tree_blob']);
  fc.assert(
    fc.property(validGraph, validGraph, (one, other) => {
      const wire = { steps: writeSteps(one), drip_campaign_nodes: writeNodes(other) };
      assert.equal(refusalOf(() => readGraph(wire)) === null, sameGraph(one, other));
      assert.equal(
        refusalOf(() => readGraph({ ...wire, drip_campaign_nodes: writeNodes(one) })),
        null,
      );
    }),
  );
});

test('graphs are the same in any order, and not when anything differs', () => {
  const email = { id: 'b', type: 'email', campaign_mailing_id: '1', next: null } as const;
  const other = { first: 'a', nodes: [...graph.nodes, email] };
  assert.ok(sameGraph(other, { first: 'a', nodes: [email, ...graph.nodes] }));
  assert.ok(!sameGraph(other, graph));
  assert.ok(!sameGraph(other, { ...other, first: 'b' }));
  assert.ok(!sameGraph(other, { first: 'a', nodes: [...graph.nodes, { ...email, next: 'a' }] }));
  assert.ok(!sameGraph(other, { first: 'a', nodes: [...graph.nodes, { ...email, subject: 'x' }] }));
});

test('a graph that cannot be run is refused in any view', () => {
  const circle = [{ id: 'a', type: 'webhook', url: 'https://example.org', next: 'a' }];
  for (const view of ['drip_campaign_nodes', 'drip_campaign_tree_blob']) {
    const refusal = refusalOf(() => readGraph({ [view]: JSON.stringify(circle) }));
    assert.deepEqual([refusal?.code, refusal?.field], ['unprocessable', `drip_campaign.${view}`]);
  }
  const lost = refusalOf(() => readGraph({ steps: [{ type: 'goto', step: 'constructor' }] }));
  assert.equal(lost?.rule, 'begins with a step that does not exist');
});

test('texts that are no JSON, too long or endlessly nested are refused', () => {
  const cases: [string, RegExp][] = [
    ['{', /takes JSON/],
    [' '.repeat(10_000_000), /at most 2000000 characters/],
    [JSON.stringify('x'.repeat(10_000_000)), /at most 2000000 characters/],
    ['['.repeat(100_000) + ']'.repeat(100_000), /takes an object/],
    [`[${'{"type":"branch","if":{"opened":1},"then":['.repeat(40_000)}${']}'.repeat(40_000)}]`, /./],
    [`[{"type":"branch","if":${'{"field":'.repeat(100_000)}1${'}'.repeat(100_000)}}]`, /./],
  ];
  for (const [text, rule] of cases) {
    for (const view of ['steps', 'drip_campaign_nodes', 'drip_campaign_tree_blob']) {
      assert.match(refusalOf(() => readGraph({ [view]: text }))?.rule ?? '', rule);
    }
  }
});

test('what a graph holds in all has a limit, below which its own texts can be read again', () => {
  const webhook = { type: 'webhook', url: 'https://example.org/'.padEnd(2_048, 'x') };
  const large = readGraph({ steps: Array.from({ length: 500 }, () => webhook) }) as Graph;
  assert.deepEqual(readGraph({ drip_campaign_tree_blob: writeTree(large) }), large);
  const terms = Array.from({ length: 100 }, () => 'x'.repeat(1_000));
  const branches = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'branch', if: { field: 'x', terms } }));
  const most = readGraph({ steps: branches(14) }) as Graph;
  assert.deepEqual(readGraph({ drip_campaign_nodes: writeNodes(most) }), most);
  const refusal = refusalOf(() => readGraph({ steps: branches(15) }));
  assert.equal(refusal?.rule, 'takes at most 1500000 characters in all');
});

const NAMES = ['id', 'type', 'next', 'then', 'else', 'if', 'for', 'timeout', 'until', 'step', 'url', '__proto__'];

/** Steps or nodes, with something wrong here and there. */
const nearSteps = fc.letrec((tie) => {
  const wrong = fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom('a', 'b', null, 1), fc.jsonValue()));
  const arms = fc.record(Object.fromEntries(['then', 'else'].map((arm) => [arm, tie('list')])), { requiredKeys: [] });
  const own = fc.constantFrom<object>(...OWN_FIELDS, { type: 'goto', step: null }, { type: 'goto', step: 's1' });
  const parts = fc.tuple(own, arms, fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, wrong));
  return {
    list: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('step'), { maxLength: 4 })),
    step: parts.map((each) => Object.assign({}, ...each) as object),
  };
}).list;

test('whatever is sent is read or refused, and nothing else', () => {
  const tree = fc.record({ nodes: nearSteps, edges: fc.jsonValue() });
  const anything = fc.oneof(fc.jsonValue(), nearSteps, nearSteps, tree, fc.string());
  const view = fc.constantFrom('steps', 'drip_campaign_nodes', 'drip_campaign_tree_blob');
  const outcomes = { read: 0, refused: 0 };
  fc.assert(
    fc.property(view, anything, fc.boolean(), (name, value, written) => {
      try {
        readGraph({ [name]: written ? JSON.stringify(value) : value });
        outcomes.read += 1;
      } catch (error) {
        assert.ok(error instanceof AppError && (error.status === 400 || error.status === 422));
        outcomes.refused += 1;
      }
    }),
    { numRuns: 3_000 },
  );
  assert.ok(outcomes.read > 300 && outcomes.refused > 300);
});

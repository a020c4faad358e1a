import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { OWN_FIELDS, validGraph } from './graph.examples.ts';
import { DEEPEST, type Graph, type Node } from './graph.ts';
import { isEndless, type Link, linkNamesOf } from './links.ts';
import { makeGraph, makeNode, sameGraph } from './make-graph.ts';
import { fallsOut, normalSteps } from './normal-steps.examples.ts';
import type { OwnFields } from './own-fields.ts';
import { readGraph } from './read-graph.ts';
import { readSteps } from './read-steps.ts';
import type { ActingStep, Step } from './steps.ts';
import { writeNodes, writeTree } from './write-nodes.ts';
import { writeStep } from './write-step.ts';
import { writeSteps } from './write-steps.ts';

test('every graph that can be run is the same when its steps are read again', () => {
  fc.assert(
    fc.property(validGraph, (graph) => {
      const again = readGraph({ steps: JSON.stringify(writeSteps(graph)) });
      assert.ok(again !== undefined && sameGraph(again, graph));
    }),
    { numRuns: 2_000 },
  );
});

test('every graph that can be run is the same when its nodes or its tree are read again', () => {
  fc.assert(
    fc.property(validGraph, (graph) => {
      assert.deepEqual(readGraph({ drip_campaign_nodes: writeNodes(graph) }), graph);
      assert.deepEqual(readGraph({ drip_campaign_tree_blob: writeTree(graph) }), graph);
      assert.deepEqual(readGraph({ drip_campaign_nodes: writeTree(graph), drip_campaign_tree_blob: null }), graph);
      assert.deepEqual(
        readGraph({ steps: writeSteps(graph), drip_campaign_tree_blob: writeTree(graph) })?.first,
        graph.first,
      );
    }),
  );
});

/** Steps without a goto, each of which can be come to, numbered as they stand. */
const nestedSteps: fc.Arbitrary<Step[]> = fc
  .letrec<{ list: Draft[]; step: Draft }>((tie) => ({
    list: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'nesting' }),
    step: fc.record({ own: fc.constantFrom(...OWN_FIELDS), yes: shallow(tie('list')), no: shallow(tie('list')) }),
  }))
  .list.map((drafts) => build(drafts, { last: 0 }));

interface Draft {
  own: OwnFields;
  yes: Draft[];
  no: Draft[];
}

function shallow(list: fc.Arbitrary<Draft[]>): fc.Arbitrary<Draft[]> {
  return fc.oneof({ maxDepth: 4, depthIdentifier: 'nesting' }, fc.constant<Draft[]>([]), list);
}

function build(drafts: Draft[], ids: { last: number }): Step[] {
  const list: Step[] = [];
  for (const { own, yes, no } of drafts) {
    ids.last += 1;
    const node = makeNode(`s${ids.last}`, own, new Map());
    const fork = linkNamesOf(own.type).includes('then');
    const [then, otherwise] = [fork ? build(yes, ids) : [], fork && !isEndless(own) ? build(no, ids) : []];
    list.push(writeStep(node, then, otherwise));
    if (!fallsOut(list)) break;
  }
  return list;
}

test('steps without gotos are written as they were read, but for where to nest what does not matter', () => {
  let nested = 0;
  fc.assert(
    fc.property(nestedSteps, (steps) => {
      const graph = readGraph({ steps });
      assert.ok(graph !== undefined);
      assert.deepEqual(writeSteps(graph), normalSteps(steps));
      nested += steps.length < graph.nodes.length ? 1 : 0;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(nested > 500);
});

const branchOn = (id: string, then: Step[], otherwise: Step[]) =>
  writeStep(makeNode(id, { type: 'branch', if: { opened: '1' } }, new Map()), then, otherwise);
const email = (id: string): ActingStep => ({ id, type: 'email', campaign_mailing_id: '1' });
const exit = (id: string): ActingStep => ({ id, type: 'exit' });
const delay = (id: string): ActingStep => ({ id, type: 'delay', days: 1 });
const goto = (step: string | null): Step => ({ type: 'goto', step });

test('branches come back as people write them', () => {
  const written: Step[][] = [
    [],
    [branchOn('a', [], [])],
    [branchOn('a', [email('b')], [email('c')]), email('d')],
    [branchOn('a', [email('b')], [email('c')])],
    [branchOn('a', [email('b')], [email('c')]), exit('d')],
    [branchOn('a', [email('b'), exit('c')], []), email('d')],
    [branchOn('a', [], [exit('b')]), email('c')],
    [branchOn('a', [], [email('b'), email('c'), email('d'), exit('e')]), email('f')],
    [branchOn('a', [email('b'), email('c'), email('d'), exit('e')], []), email('f')],
    [branchOn('a', [email('b'), exit('c')], [email('d'), exit('e')])],
    [branchOn('a', [exit('b')], []), email('c'), branchOn('d', [exit('e')], []), email('f'), exit('g')],
    [branchOn('a', [branchOn('b', [exit('c')], []), email('d')], [email('e')]), email('f'), exit('g')],
  ];
  for (const steps of written) assert.deepEqual(writeSteps(readSteps('steps', steps).graph), steps);
});

test('a goto says a loop, a way past what follows, and a way to the end', () => {
  const past = (then: Step[], otherwise: Step[]) => [
    branchOn('a', [branchOn('b', [branchOn('c', then, otherwise), email('d')], [email('e')]), email('f')], []),
    email('g'),
  ];
  const written: Step[][] = [
    [delay('a'), goto('a')],
    [delay('a'), branchOn('b', [goto('a')], []), email('c')],
    [delay('a'), branchOn('b', [goto('a')], []), email('c'), exit('d')],
    past([goto('g')], []),
    past([], [goto('g')]),
    past([goto(null)], []),
    past([], [goto(null)]),
  ];
  for (const steps of written) assert.deepEqual(writeSteps(readSteps('steps', steps).graph), steps);
});

/** A graph within a branch, the other arm of which meets it at the end, within another, and so on. */
function within(depth: number, graph: Graph): Graph {
  const outer = Array.from({ length: depth }, (_, at): Node[] => {
    const inner = at + 1 < depth ? `b${at + 1}` : graph.first;
    const links = new Map<Link, string | null>([
      ['then', inner],
      ['else', `m${at}`],
    ]);
    return [
      makeNode(`b${at}`, { type: 'branch', if: { opened: '1' } }, links),
      makeNode(`m${at}`, { type: 'email', campaign_mailing_id: '1' }, new Map()),
    ];
  });
  return makeGraph(depth === 0 ? graph.first : 'b0', [...outer.flat(), ...graph.nodes]);
}

function depthOf(list: readonly Step[]): number {
  const arms = list.flatMap((step) => (step.type === 'goto' ? [] : [step.then ?? [], step.else ?? []]));
  return arms.reduce((deepest, arm) => Math.max(deepest, arm.length === 0 ? 0 : 1 + depthOf(arm)), 0);
}

test('what is nested too deep is written further out', () => {
  for (const depth of [DEEPEST, DEEPEST + 1, 3 * DEEPEST, 200]) {
    const graph = within(depth, { first: null, nodes: [] });
    const steps = writeSteps(graph);
    assert.equal(depthOf(steps), DEEPEST);
    assert.equal(JSON.stringify(steps).includes('"goto"'), depth > DEEPEST);
    assert.ok(sameGraph(readGraph({ steps }) as Graph, graph));
  }
});

test('graphs of any shape may lie as deep as one can nest, and deeper', () => {
  fc.assert(
    fc.property(fc.integer({ min: DEEPEST - 4, max: DEEPEST + 1 }), validGraph, (depth, inner) => {
      const graph = within(depth, inner);
      const steps = writeSteps(graph);
      assert.ok(depthOf(steps) <= DEEPEST);
      assert.ok(sameGraph(readGraph({ steps }) as Graph, graph));
    }),
    { numRuns: 1_000 },
  );
});

test('a branch without anything in it may stand as deep as any other step', () => {
  const deep = (depth: number): Step[] => [
    branchOn(`b${depth}`, depth === 0 ? [] : deep(depth - 1), []),
    email(`m${depth}`),
  ];
  const steps = deep(DEEPEST);
  assert.deepEqual(writeSteps(readGraph({ steps }) as Graph), steps);
});

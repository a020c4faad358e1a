import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { validGraph } from './graph.examples.ts';
import type { Graph } from './graph.ts';
import { keepIds, knownSteps } from './keep-ids.ts';
import { sameGraph } from './make-graph.ts';
import { readSteps } from './read-steps.ts';
import { writeSteps } from './write-steps.ts';

type Fields = Record<string, unknown>;

const mail = (mailing: number, more: Fields = {}) => ({ type: 'email', campaign_mailing_id: mailing, ...more });
const nap = (days: number, more: Fields = {}) => ({ type: 'delay', days, ...more });
const fork = (then: Fields[], otherwise: Fields[]) => ({ type: 'branch', if: { opened: 1 }, then, else: otherwise });

const withoutIds = (steps: unknown): unknown =>
  JSON.parse(JSON.stringify(steps), (name, value: unknown) => (name === 'id' ? undefined : value));

const graphOf = (steps: unknown): Graph => readSteps('steps', steps).graph;

function renamed(steps: unknown, before: Graph, used: string[] = []): Graph {
  const sent = readSteps('steps', steps);
  return keepIds(sent, knownSteps(sent, before), [...used, ...before.nodes.map(({ id }) => id)]);
}

test('a step without an id keeps that of the same step of before, wherever it stands, and else has a new one', () => {
  const before = graphOf([mail(1), nap(3), mail(2)]);
  const cases: [Fields[], string[]][] = [
    [
      [mail(1), nap(3), mail(2)],
      ['s1', 's2', 's3'],
    ],
    [
      [mail(9), nap(1), mail(1), nap(3), mail(2)],
      ['s4', 's5', 's1', 's2', 's3'],
    ],
    // Whoever waits for the second mail does not come to the first again.
    [
      [mail(9), nap(3), mail(1), nap(3), mail(2)],
      ['s4', 's5', 's1', 's2', 's3'],
    ],
    [
      [mail(9), nap(3), mail(1), nap(4), mail(2)],
      ['s4', 's5', 's1', 's6', 's3'],
    ],
    [
      [nap(3), mail(2)],
      ['s2', 's3'],
    ],
    [
      [mail(1), nap(3), mail(2), nap(3), mail(2)],
      ['s1', 's2', 's3', 's4', 's5'],
    ],
    [
      [mail(1, { subject: 'Other' }), nap(3), mail(2)],
      ['s4', 's2', 's3'],
    ],
    [[fork([mail(1)], [mail(2)])], ['s4', 's1', 's3']],
    [
      [mail(1, { id: 's9' }), nap(3), mail(2)],
      ['s9', 's2', 's3'],
    ],
    [
      [mail(7, { id: 's2' }), nap(3), mail(2)],
      ['s2', 's4', 's3'],
    ],
  ];
  for (const [steps, ids] of cases) {
    const { first, nodes } = renamed(steps, before);
    assert.deepEqual([first, nodes.map(({ id }) => id)], [ids[0], ids], JSON.stringify(steps));
  }
});

test('no new step has an id that another had once', () => {
  const { nodes } = renamed([mail(3), mail(4)], graphOf([mail(1)]), ['s2', 's4']);
  assert.deepEqual(
    nodes.map(({ id }) => id),
    ['s3', 's5'],
  );
});

test('what leads to a step leads to it by its new id', () => {
  const { nodes } = renamed([fork([mail(2)], [nap(1), { type: 'goto', step: 's1' }]), mail(3)], graphOf([mail(3)]));
  assert.deepEqual(
    nodes.map((node) => [node.id, ...Object.values({ ...node, id: null }).filter((value) => /^s\d$/.test(`${value}`))]),
    [['s2', 's3', 's4'], ['s3', 's1'], ['s4', 's2'], ['s1']],
  );
});

test('the same steps are the same, with ids or without', () => {
  fc.assert(
    fc.property(validGraph, (graph) => {
      assert.ok(sameGraph(renamed(writeSteps(graph), graph), graph));
    }),
  );
  const steps = [mail(1), fork([nap(1)], [nap(1), mail(1)]), nap(1), mail(2)];
  const later = renamed([mail(8), nap(2), ...steps], graphOf(steps));
  assert.ok(sameGraph(renamed(withoutIds(writeSteps(later)), later), later));
});

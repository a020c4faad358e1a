import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEEPEST, MOST_STEPS, type Node } from './graph.ts';
import { linksOf } from './links.ts';
import { readSteps } from './read-steps.ts';
import { refusalOf } from './refusals.examples.ts';

const exit = { type: 'exit' };
const email = (id?: unknown) => ({ type: 'email', campaign_mailing_id: 1, id });
const goto = (step?: unknown) => ({ type: 'goto', step });
const arms = (then?: unknown, otherwise?: unknown) => ({ then, else: otherwise });
const branch = (then?: unknown, otherwise?: unknown, id?: unknown) => ({
  type: 'branch',
  id,
  if: { opened: 1 },
  ...arms(then, otherwise),
});
const wait = (timeout: unknown, then?: unknown, otherwise?: unknown) => ({
  type: 'wait',
  for: { opened: 1 },
  timeout,
  ...arms(then, otherwise),
});

/** Where each step leads, in their order. */
const linksAmong = (steps: unknown) => {
  const { first, nodes } = readSteps('steps', steps).graph;
  return [first, ...nodes.map((node: Node) => [node.id, ...linksOf(node)].join(' '))];
};

test('steps lead on in their order, and arms with what follows their branch', () => {
  const cases: [unknown[], (string | null)[]][] = [
    [[], [null]],
    [
      [email(), email()],
      ['s1', 's1 s2', 's2 '],
    ],
    [
      [branch([email()], [email()]), email()],
      ['s1', 's1 s2 s3', 's2 s4', 's3 s4', 's4 '],
    ],
    [
      [branch([], null), email()],
      ['s1', 's1 s2 s2', 's2 '],
    ],
    [
      [branch([email(), exit]), email()],
      ['s1', 's1 s2 s4', 's2 s3', 's3', 's4 '],
    ],
    [
      [branch([branch([email()])]), email()],
      ['s1', 's1 s2 s4', 's2 s3 s4', 's3 s4', 's4 '],
    ],
    [
      [wait({ days: 2 }, undefined, [email()]), email()],
      ['s1', 's1 s3 s2', 's2 s3', 's3 '],
    ],
    [
      [wait(null), email()],
      ['s1', 's1 s2', 's2 '],
    ],
    [
      [wait(undefined, [email()]), email()],
      ['s1', 's1 s2', 's2 s3', 's3 '],
    ],
    [
      [branch([goto(null)]), email()],
      ['s1', 's1  s2', 's2 '],
    ],
    [
      [email(), goto('s1')],
      ['s1', 's1 s1'],
    ],
    [
      [goto('b'), email('a'), goto(null), email('b'), goto('a')],
      ['b', 'b a', 'a '],
    ],
    [[goto(null)], [null]],
  ];
  for (const [steps, links] of cases) assert.deepEqual(linksAmong(steps), links);
});

test('a wait without a timeout has no way for when it is over', () => {
  const { nodes } = readSteps('steps', [wait(null), email()]).graph;
  assert.equal((nodes[0] as { else?: unknown }).else, null);
});

test('steps without an id get the first that is free, the same each time', () => {
  const steps = [email(), email('s2'), branch([email()], [email('s1')]), email(7), email('__proto__')];
  const ids = ['s3', 's2', 's4', 's5', 's1', '7', '__proto__'];
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual(
      readSteps('steps', steps).graph.nodes.map(({ id }) => id),
      ids,
    );
  }
});

test('steps that are malformed are refused by their place', () => {
  const cases: [unknown, string][] = [
    [{}, 'steps'],
    [5, 'steps'],
    [[null], 'steps[0]'],
    [[email(), []], 'steps[1]'],
    [[email(), branch([email(), {}])], 'steps[1].then[1].type'],
    [[branch([], [{ type: 'delay', minutes: 0 }])], 'steps[0].else[0].minutes'],
    [[branch({})], 'steps[0].then'],
    [[wait({ days: 1 }, [], 'x')], 'steps[0].else'],
    [[wait(null, [], [email()])], 'steps[0].else'],
    [[email('a'), branch([email('a')])], 'steps[1].then[0].id'],
    [[email(1), email('1')], 'steps[1].id'],
    ...['', 'a b', 'é', 'a.b', 1.5, {}, true, 'x'.repeat(65)].map((id): [unknown, string] => [
      [email(id)],
      'steps[0].id',
    ]),
    [[goto()], 'steps[0].step'],
    [[goto('a b')], 'steps[0].step'],
    [[goto(['a'])], 'steps[0].step'],
    [[email('a'), goto('a'), goto('a')], 'steps[2]'],
    [[exit, goto('a')], 'steps[1]'],
  ];
  for (const [steps, place] of cases) {
    const refusal = refusalOf(() => readSteps('steps', steps));
    assert.deepEqual([refusal?.code, refusal?.field], ['invalid_request', place]);
  }
  assert.equal(
    refusalOf(() => readSteps('steps', [email('x'.repeat(64))])),
    null,
  );
});

test('there are at most so many steps, wherever they stand', () => {
  const many = (count: number) => Array.from({ length: count }, () => email());
  const fault = { code: 'unprocessable', field: 'steps', rule: `takes at most ${MOST_STEPS} steps` };
  assert.equal(readSteps('steps', many(MOST_STEPS)).graph.nodes.length, MOST_STEPS);
  assert.deepEqual(
    refusalOf(() => readSteps('steps', many(MOST_STEPS + 1))),
    fault,
  );
  assert.equal(readSteps('steps', [branch(many(MOST_STEPS - 2)), email(), goto('s1')]).graph.nodes.length, MOST_STEPS);
  assert.deepEqual(
    refusalOf(() => readSteps('steps', [branch(many(MOST_STEPS - 1)), email()])),
    fault,
  );
  assert.deepEqual(
    refusalOf(() => readSteps('steps', many(1_000_000))),
    fault,
  );
  const gotos = Array.from({ length: 1_000_000 }, () => goto('a'));
  assert.equal(refusalOf(() => readSteps('steps', gotos))?.field, 'steps[1]');
});

test('steps nest only so deep', () => {
  const deep = (depth: number, innermost: unknown) => {
    let list = [innermost];
    for (let at = 0; at < depth; at += 1) list = [branch(list)];
    return list;
  };
  assert.equal(readSteps('steps', deep(DEEPEST, email())).graph.nodes.length, DEEPEST + 1);
  assert.equal(readSteps('steps', deep(DEEPEST, branch([], []))).graph.nodes.length, DEEPEST + 1);
  for (const [depth, innermost] of [
    [DEEPEST + 1, email()],
    [DEEPEST + 1, goto(null)],
    [100_000, email()],
  ] as const) {
    const refusal = refusalOf(() => readSteps('steps', deep(depth, innermost)));
    assert.deepEqual(refusal, {
      code: 'unprocessable',
      field: `steps${'[0].then'.repeat(DEEPEST + 1)}`,
      rule: `nests deeper than ${DEEPEST}`,
    });
  }
});

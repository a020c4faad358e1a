import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from './compile.ts';
import type { SentFile, Verdict } from './form-model.ts';
import { todayAt } from './today.ts';
import { checkAnswers } from './validate.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));

type Field = Record<string, unknown>;

function check(fields: Field[], answers: Record<string, unknown>, files: SentFile[] = []): Verdict {
  return checkAnswers(compileForm({ fields }), answers, files, TODAY);
}

/** The names of the questions with problems. */
function wrong(fields: Field[], answers: Record<string, unknown>, files: SentFile[] = []): string[] {
  return Object.keys(check(fields, answers, files).problems);
}

test('an answer is found under the name, else under the id, else under the slug of the name', () => {
  const fields = [
    { name: "What's your name?", id: 'x1' },
    { name: 'x2', id: 'x3' },
    { name: 'Other Name', id: 'x2' },
  ];
  const taken = (answers: Record<string, unknown>) => check(fields, answers);
  const name = "What's your name?";
  for (const key of [name, 'x1', 'what_s_your_name', 'what_s_your_name_']) {
    assert.deepEqual(taken({ [key]: 'me' }), { answers: { [name]: 'me' }, problems: {}, unasked: [] }, key);
  }
  assert.deepEqual(taken({ [name]: 'me', x1: 'you' }), {
    answers: { [name]: 'me', x1: 'you' },
    problems: {},
    unasked: ['x1'],
  });
  assert.deepEqual(taken({ x2: 'me' }).answers, { x2: 'me' });
  assert.deepEqual(taken({ x3: 'me', other_name: 'you' }).answers, { x2: 'me', 'Other Name': 'you' });
});

test('unknown keys are kept as they came and marked', () => {
  const { answers, unasked } = check([{ name: 'q' }], { extra: ' ', more: null, q: 'a' });
  assert.deepEqual([answers, unasked], [{ q: 'a', extra: ' ', more: null }, ['extra', 'more']]);
  const any = { extra: [1], ['__proto__x']: ' ' };
  assert.deepEqual(checkAnswers(compileForm({}), any, [], TODAY), { answers: any, problems: {}, unasked: [] });
});

test('what is not asked is kept and marked but neither checked nor required', () => {
  const fields = [
    { name: 'on', type: 'yes/no' },
    { name: 'n', type: 'number', required: true, showWhen: 'on == true' },
  ];
  assert.deepEqual(check(fields, { on: 'no', n: 'x' }), {
    answers: { on: false, n: 'x' },
    problems: {},
    unasked: ['n'],
  });
  assert.deepEqual(check(fields, { n: ' ' }), { answers: {}, problems: {}, unasked: [] });
  assert.deepEqual(wrong(fields, { on: 'yes' }), ['n']);
  assert.deepEqual(wrong(fields, { on: 'yes', n: 'x' }), ['n']);
  assert.deepEqual(check(fields, { on: 'yes', n: '7' }).answers, { on: true, n: 7 });
});

test('a section or a page that is not shown hides its questions, and they are absent for others', () => {
  const inner = { name: 'b', required: true };
  const last = { name: 'c', required: true, showWhen: "b == 'x'" };
  const section = { type: 'section', showWhen: 'a == 1', fields: [inner] };
  for (const form of [
    { fields: [{ name: 'a', type: 'number' }, section, last] },
    { fields: [last, { type: 'section', fields: [section] }, { name: 'a', type: 'number' }] },
    {
      pages: [{ fields: [last] }, { showWhen: 'a == 1', fields: [inner] }, { fields: [{ name: 'a', type: 'number' }] }],
    },
  ]) {
    const verdict = (answers: Record<string, unknown>) => checkAnswers(compileForm(form), answers, [], TODAY);
    assert.deepEqual(verdict({ a: 2, b: 'x' }).problems, {});
    assert.deepEqual(verdict({ a: 2, b: 'x' }).unasked, ['b']);
    assert.deepEqual(Object.keys(verdict({ a: 1, b: 'x' }).problems), ['c']);
    assert.deepEqual(Object.keys(verdict({ a: 1 }).problems), ['b']);
  }
});

test('a question is asked only where its own condition holds as well as those around it', () => {
  const inner = { name: 'b', required: true, showWhen: 'c == 1' };
  const fields = [
    { name: 'a', type: 'number' },
    { name: 'c', type: 'number' },
    { type: 'section', showWhen: 'a == 1', fields: [{ type: 'section', showWhen: 'a < 5', fields: [inner] }] },
  ];
  assert.deepEqual(wrong(fields, { a: 1, c: 1 }), ['b']);
  for (const answers of [{ a: 1, c: 2 }, { a: 2, c: 1 }, { c: 1 }, {}]) assert.deepEqual(wrong(fields, answers), []);
});

test('inside a group, conditions see the entry first and then all answers, also later ones', () => {
  const inner = { name: 'why', required: true, showWhen: 'ill and dose > 1' };
  const group = { name: 'meds', type: 'list', fields: [{ name: 'dose', type: 'number' }, inner] };
  const fields = [
    { name: 'n', required: true, showWhen: 'count(meds) > 1' },
    group,
    { name: 'dose' },
    { name: 'ill', type: 'yes/no' },
  ];
  const meds = [{ dose: 2 }, { dose: 1 }];
  assert.deepEqual(wrong(fields, { meds, dose: '9', ill: true }), ['n', 'meds.0.why']);
  assert.deepEqual(wrong(fields, { meds, n: 'x', ill: false }), []);
});

test('conditions that wait for each other end, with the reference back seen as absent', () => {
  const ring = [
    { name: 'a', required: true, showWhen: 'empty(b)' },
    { name: 'b', required: true, showWhen: 'empty(a)' },
  ];
  assert.deepEqual(check(ring, { a: '1', b: '2' }), { answers: { a: '1', b: '2' }, problems: {}, unasked: ['a'] });
  assert.deepEqual(wrong([{ name: 'a', required: true, showWhen: "a == 'x'" }], {}), []);
  assert.deepEqual(check([{ name: 'a', showWhen: "a == 'x'" }], { a: 'x' }).unasked, ['a']);
});

test('a chain of conditions as long as a form may be is followed to its end', () => {
  const count = 5_000;
  const fields = Array.from({ length: count }, (_, i) => ({
    name: `q${i}`,
    showWhen: i < count - 1 ? `q${i + 1} == 'x'` : 'true',
  }));
  const answers = Object.fromEntries(fields.map(({ name }) => [name, 'x']));
  assert.deepEqual(check(fields, answers).unasked, []);
  assert.equal(check(fields, { ...answers, [`q${count - 1}`]: 'y' }).unasked.length, count - 1);
});

test('requireWhen demands an answer only where it holds', () => {
  const fields = [
    { name: 'a', type: 'number' },
    { name: 'b', requireWhen: 'a > 3' },
  ];
  assert.deepEqual(wrong(fields, { a: 3 }), []);
  assert.deepEqual(wrong(fields, { a: 4 }), ['b']);
  assert.deepEqual(wrong(fields, {}), []);
});

test('a calculated question is worked out here, whatever was sent for it', () => {
  const choice = {
    type: 'radio',
    options: [
      { value: 'n', score: 0 },
      { value: 'y', score: 3 },
    ],
  };
  const grid = {
    type: 'matrix',
    rows: ['r', 's'],
    columns: [
      { value: 'n', points: 1 },
      { value: 'y', points: 5 },
    ],
  };
  const fields = [
    { name: 'total', type: 'score', formula: 'score(a) + score(b) + score(m)', required: true },
    { name: 'high', type: 'calculated', formula: 'total > 9', showWhen: 'total != null' },
    { name: 'a', ...choice },
    { name: 'b', ...choice, type: 'checkboxes' },
    { name: 'm', ...grid },
    { name: 'why', required: true, showWhen: 'high' },
  ];
  const good = check(fields, { a: 'y', b: ['n', 'y'], m: { r: 'n', s: 'y' }, total: 999 });
  assert.deepEqual([good.answers['total'], good.answers['high']], [12, true]);
  assert.deepEqual(Object.keys(good.problems), ['why']);
  const none = check(fields, { total: 999, high: true });
  assert.deepEqual(none, { answers: {}, problems: {}, unasked: [] });
});

test('a repeating group is checked entry by entry', () => {
  const dose = { name: 'dose', type: 'number', required: true };
  const why = { name: 'why', required: true, showWhen: 'dose > 10 and ill' };
  const group = { name: 'meds', type: 'repeating group', min: 2, max: 2, fields: [{ name: 'drug' }, dose, why] };
  const fields = [{ name: 'ill', type: 'yes/no' }, group];
  const found = check(fields, {
    ill: true,
    meds: [{ drug: 'x', dose: '1' }, { dose: 11, more: 1 }, { drug: ' ' }, {}],
  });
  assert.deepEqual(found.answers['meds'], [
    { drug: 'x', dose: 1 },
    { dose: 11, more: 1 },
  ]);
  assert.deepEqual([Object.keys(found.problems), found.unasked], [['meds.1.why'], ['meds.1.more']]);
  assert.deepEqual(check(fields, { meds: [{ dose: 11, why: 'w' }, { dose: 1 }] }).unasked, ['meds.0.why']);
  assert.deepEqual(wrong(fields, { meds: { dose: 1 } }), ['meds']);
  assert.deepEqual(wrong(fields, { meds: [{ dose: 1 }, {}, { dose: 1 }] }), ['meds.1.dose', 'meds']);
  for (const junk of ['x', 7, ['x'], [null, { dose: 1 }]]) assert.deepEqual(wrong(fields, { meds: junk }), ['meds']);
  assert.deepEqual(wrong(fields, { meds: [{}] }), []);
  assert.deepEqual(wrong([{ ...group, required: true }], { meds: [{}] }), ['meds']);
  assert.deepEqual(check([{ ...group, showWhen: 'ill' }], { meds: [{}, { dose: 'x' }] }).unasked, ['meds']);
});

test('names like those of the prototype are names like all others', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const fields = names.map((name) => ({ name, required: true }));
  assert.deepEqual(wrong(fields, {}), names);
  const condition = [{ name: 'q', required: true, showWhen: '{constructor} != null or not empty({__proto__})' }];
  assert.deepEqual(wrong(condition, {}), []);
  const sent = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c", "hasOwnProperty": "d"}');
  const { answers, problems } = check(fields, sent);
  assert.deepEqual([JSON.stringify(answers), problems], [JSON.stringify(sent), {}]);
  assert.equal(Object.getPrototypeOf(answers), Object.prototype);
  const grid = { name: 'm', type: 'matrix', rows: ['__proto__'], columns: ['a'], required: true };
  assert.deepEqual(wrong([grid], { m: {} }), ['m']);
});

test('patterns that make others slow search a long text in one pass', () => {
  for (const pattern of ['(a+)+$', '(a|a)*$', '^(a|aa)+$', '(.*a){20}$', '(\\w+\\s?)*$x']) {
    const field = { name: 'q', type: 'long text', pattern };
    // A backtracking engine would not come back from this in a lifetime.
    assert.equal(typeof wrong([field], { q: `${'a'.repeat(50_000)}!` }).length, 'number');
  }
});

test('the first 20,000 characters of a text are searched by conditions', () => {
  const field = { name: 'b', required: true, showWhen: "a contains 'x'" };
  const missing = (a: string) => wrong([{ name: 'a', type: 'long text' }, field], { a });
  assert.deepEqual(missing(`${'y'.repeat(19_999)}x`), ['b']);
  assert.deepEqual(missing(`${'y'.repeat(20_000)}x`), []);
});

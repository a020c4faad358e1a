import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { answerText, jsonText, plainText, unaskedInside } from './answer-text.ts';
import { choices, group, question } from './form.examples.ts';

const PLAN = choices('Gold', 'Silver');

test('choices are shown by their labels, and what is none of them as it is', () => {
  assert.equal(answerText(question('radio', 'plan', 'Plan', { choices: PLAN }), 'gold'), 'Gold');
  assert.equal(answerText(question('select', 'plan', 'Plan', { choices: PLAN, other: true }), 'Bronze'), 'Bronze');
  const many = question('checkboxes', 'plans', 'Plans', { choices: PLAN });
  assert.equal(answerText(many, ['silver', 'gold', 'mine; yours']), 'Silver; Gold; mine; yours');
  const numbers = question('radio', 'n', 'N', { choices: [{ value: '1', label: 'One', score: 1 }] });
  assert.equal(answerText(numbers, 1), 'One');
  const truth = question('radio', 't', 'T', { choices: [{ value: 'true', label: 'Indeed', score: null }] });
  assert.equal(answerText(truth, true), 'Indeed');
  assert.equal(answerText(truth, false), 'No');
});

test('each kind of question is put in words of its own', () => {
  assert.equal(answerText(question('yes_no', 'q', 'Q'), true), 'Yes');
  assert.equal(answerText(question('yes_no', 'q', 'Q'), false), 'No');
  assert.equal(answerText(question('date', 'q', 'Q'), '2024-02-29'), '2024-02-29');
  assert.equal(answerText(question('number', 'q', 'Q'), -0.5), '-0.5');
  const address = { country: 'US', city: 'Springfield', line1: '1 Main St', line2: '', note: 'rear door' };
  assert.equal(answerText(question('address', 'q', 'Q'), address), '1 Main St, Springfield, US, rear door');
  assert.equal(answerText(question('address', 'q', 'Q'), '1 Main St\r\n Springfield'), '1 Main St, Springfield');
  assert.equal(answerText(question('file', 'q', 'Q'), ['a.pdf', { name: 'b.pdf', size: 2 }]), 'a.pdf; b.pdf');
  assert.equal(answerText(question('signature', 'q', 'Q'), 'data:image/png;base64,AAAA'), 'Signed');
  assert.equal(answerText(question('signature', 'q', 'Q'), { name: 'Ann', image: 'data:…' }), 'Ann');
  assert.equal(answerText(question('signature', 'q', 'Q'), true), 'Signed');
  const matrix = question('matrix', 'q', 'Q', {
    rows: choices('Back', 'Neck', 'Arm'),
    columns: choices('Never', 'Often'),
  });
  assert.equal(answerText(matrix, { neck: 'often', back: ['never', 'often'] }), 'Back: Never; Often; Neck: Often');
});

test('an address of nothing but blanks between two words keeps nobody waiting', () => {
  const started = performance.now();
  const text = answerText(question('address', 'q', 'Q'), `1${' '.repeat(300_000)}\n\n \n${' '.repeat(300_000)}2`);
  assert.equal(text, '1, 2');
  assert.ok(performance.now() - started < 20_000); // the square of it would be two minutes and more
});

test('a repeating group reads as numbered entries, with keys that its questions do not have', () => {
  const drugs = group('drugs', 'Drugs', [question('text', 'drug', 'Drug'), question('yes_no', 'daily', 'Daily')]);
  const answer = [
    { drug: 'Aspirin', daily: true },
    { drug: 'Insulin', unit: { ml: 3 } },
  ];
  assert.equal(answerText(drugs, answer), '1. Drug: Aspirin, Daily: Yes; 2. Drug: Insulin, unit: ml: 3');
});

test('what was not asked in an entry is no answer to it', () => {
  const drugs = group('drugs', 'Drugs', [question('text', 'drug', 'Drug'), question('yes_no', 'daily', 'Daily')]);
  const answer = [
    { drug: 'Aspirin', daily: true, Dose: '5 mg' },
    { drug: 'Insulin', daily: true },
  ];
  const unasked = new Set(['drugs.0.daily', 'drugs.0.Dose', 'drug', 'drugs.1.Dose']);
  assert.equal(answerText(drugs, answer, unasked), '1. Drug: Aspirin; 2. Drug: Insulin, Daily: Yes');
  assert.deepEqual(
    unaskedInside(drugs, answer, unasked).map(({ path, value }) => [path, value]),
    [
      ['drugs.0.daily', true],
      ['drugs.0.Dose', '5 mg'],
    ],
  );
});

test('nothing answered is the empty text', () => {
  for (const answer of [null, undefined, '', '  ', [], [''], [null]]) {
    assert.equal(answerText(question('text', 'q', 'Q'), answer), '');
  }
});

test('no answer, whatever it is, fails or reads as [object Object]', () => {
  const kinds = ['text', 'radio', 'checkboxes', 'address', 'file', 'signature', 'matrix', 'number', 'yes_no'] as const;
  const anyQuestion = fc.constantFrom(
    ...kinds.map((kind) => question(kind, 'q', 'Q', { choices: PLAN, rows: PLAN, columns: PLAN })),
    group('q', 'Q', [question('radio', 'gold', 'Gold', { choices: PLAN })]),
  );
  const anyAnswer = fc.anything({ withNullPrototype: true, key: fc.constantFrom('gold', 'name', '__proto__', 'x') });
  fc.assert(
    fc.property(anyQuestion, anyAnswer, (asked, answer) => {
      if (JSON.stringify(answer)?.includes('[object')) return;
      assert.doesNotMatch(answerText(asked, answer), /\[object/);
    }),
    { numRuns: 2_000 },
  );
});

test('answers nested without end are named so and do not fail', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  assert.equal(plainText(deep), '(nested too deep)');
  assert.equal(jsonText(deep), '(nested too deep)');
});

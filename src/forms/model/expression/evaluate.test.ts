import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { todayAt } from '../today.ts';
import { evaluate, type Facts, holds } from './evaluate.ts';
import { anyExpression } from './expression.examples.ts';
import { parseExpression } from './parse.ts';

const ANSWERS: Record<string, unknown> = {
  ten: 10,
  zero: 0,
  text: 'ten',
  digits: '10',
  yes: true,
  no: false,
  list: ['a', 'b'],
  address: { city: 'x' },
  born: '2000-05-17',
  empties: [],
};

const FACTS: Facts = {
  answer: (name) => (Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined),
  score: (name) => (name === 'list' ? 7 : undefined),
  today: todayAt(new Date('2026-05-16T09:00:00Z')),
};

const COMES_TO: [source: string, value: unknown][] = [
  ['ten == 10', true],
  ['digits == 10', true],
  ["ten == '10'", true],
  ["ten == '10.0'", true],
  ["digits == '10.0'", false],
  ['ten != 10', false],
  ['ten != 11', true],
  ["text == 'ten'", true],
  ["text == 'Ten'", false],
  ['ten < 11', true],
  ['ten < 10', false],
  ['ten <= 10', true],
  ['ten > 9', true],
  ['ten > 10', false],
  ['ten >= 10', true],
  ["digits < '9'", false],
  ["text < 'tent'", true],
  ["text > 'ten'", false],
  ["text <= 'ten'", true],
  ['text < 9 or text >= 9', false],
  ["born < '2001-01-01'", true],
  ['yes == true', true],
  ["yes == 'Yes'", true],
  ["no == 'no'", true],
  ["yes == 'no'", false],
  ["yes != 'maybe'", true],
  ['yes == 1', false],
  ["list == 'a'", false],
  ["list != 'a'", true],
  ["list contains 'a'", true],
  ["list contains 'c'", false],
  ["text contains 'en'", true],
  ['digits contains 1', true],
  ['ten contains 1', false],
  ["address contains 'x'", false],
  ["list in ['x', 'b']", true],
  ["list in ['x']", false],
  ['ten in [1, 10]', true],
  ['ten in []', false],
  ['gone in [1, 10]', false],
  ['gone == 1', false],
  ['gone != 1', false],
  ['gone < 1', false],
  ['gone >= 0', false],
  ['gone == gone', false],
  ["gone contains 'a'", false],
  ["'a' contains gone", false],
  ['gone == null', true],
  ['null == gone', true],
  ['gone != null', false],
  ['ten == null', false],
  ['ten != null', true],
  ['null == null', true],
  ['empty(gone)', true],
  ['empty(empties)', true],
  ["empty('')", true],
  ['empty(zero)', false],
  ['empty(no)', false],
  ['gone', undefined],
  ['not gone', true],
  ['not zero', true],
  ['not empties', true],
  ['not address', false],
  ['yes and no', false],
  ['yes or no', true],
  ['no and gone', false],
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['7 / 2 - 1', 2.5],
  ['1 / 0', undefined],
  ['0 / 0', undefined],
  ['digits + 1', 11],
  ["text + 'x'", undefined],
  ['gone + 1', undefined],
  ['1 - gone', undefined],
  ['-ten', -10],
  ['-gone', undefined],
  ['-text', undefined],
  ['yes + 1', undefined],
  ['null + 1', undefined],
  ['count(list)', 2],
  ['count(empties)', 0],
  ['count(gone)', 0],
  ['count(ten)', 1],
  ['sum(ten, digits, gone, text)', 20],
  ['sum(gone)', undefined],
  ['min(ten, 3, gone)', 3],
  ['max(ten, 3, gone)', 10],
  ['max(gone)', undefined],
  ['score(list)', 7],
  ['score(ten)', undefined],
  ['round(2.5)', 3],
  ['round(-2.5)', -3],
  ['round(1.005, 2)', 1.01],
  ['round(1.004, 2)', 1],
  ['round(12, -1)', 12],
  ['round(1000000000000000, 2)', 1e15],
  ['round(4503599627370497)', 4_503_599_627_370_497],
  ['round(4503599627370495)', 4_503_599_627_370_495],
  ['round(45035996273704.97, 2)', 45_035_996_273_704.97],
  ['round(0 - 22517998136852.47, 2)', -22_517_998_136_852.47],
  ['round(1125899906842623)', 1_125_899_906_842_623],
  ['round(9007199254740991, 10)', 9_007_199_254_740_991],
  ['round(12345678901.2345, 3)', 12_345_678_901.235],
  ['round(gone, 1)', undefined],
  ['round(1, gone)', undefined],
  ['age(born)', 25],
  ["age('2000-05-16')", 26],
  ["age('2026-05-16')", 0],
  ["age('2026-05-17')", undefined],
  ['age(gone)', undefined],
  ['age(text)', undefined],
  ['age(ten)', undefined],
];

test('every operator and function comes to what people expect of it', () => {
  for (const [source, value] of COMES_TO) assert.deepEqual(evaluate(parseExpression(source), FACTS), value, source);
});

test('and, or and not always come to true or false', () => {
  for (const source of ['ten and text', 'gone or ten', 'not text']) {
    assert.equal(typeof evaluate(parseExpression(source), FACTS), 'boolean');
  }
});

test('whatever the tree and the answers are, evaluation ends without an error and never with an odd number', () => {
  const anyAnswers = fc.dictionary(fc.constantFrom('a', 'b', 'and', 'x'), fc.jsonValue());
  fc.assert(
    fc.property(anyExpression, anyAnswers, fc.string(), (tree, answers, utc) => {
      const facts = {
        answer: (name: string) => (Object.hasOwn(answers, name) ? answers[name] : undefined),
        score: () => undefined,
        today: { ...FACTS.today, utc },
      };
      const value = evaluate(tree, facts);
      if (typeof value === 'number') assert.ok(Number.isFinite(value));
      assert.equal(typeof holds(tree, facts), 'boolean');
      assert.deepEqual(evaluate(tree, facts), value);
    }),
    { numRuns: 2_000 },
  );
});

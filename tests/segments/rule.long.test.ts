import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { AskedCondition } from '../../src/marketing/segments/filters/filters.ts';
import { parseRule } from '../../src/marketing/segments/rule/parse-rule.ts';
import { writeRule } from '../../src/marketing/segments/rule/write-rule.ts';
import { AppError } from '../../src/platform/errors.ts';
import { filtersWith } from './arbitraries.ts';

const IDS = { lists: ['1', '17'], mailings: ['2', '30'] };

function plain(groups: AskedCondition[][]) {
  return groups.map((group) => group.map(({ field, op, terms }) => ({ field, op, terms })));
}

const read = (rule: string) => plain(parseRule(rule));
const firstOf = (rule: string) => read(rule)[0]?.[0];
const shape = (rule: string) => read(rule).map((group) => group.map(({ field }) => field).join(''));
const many = (count: number, between: string, one = 'a is 1') => Array.from({ length: count }, () => one).join(between);

test('filters in words are read back as the same filters', () => {
  fc.assert(
    fc.property(filtersWith(IDS), (filters) => {
      assert.deepEqual(read(writeRule(filters)), filters);
    }),
    { numRuns: 2_000 },
  );
});

test('any field and any text survive being written', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((each) => !each.includes('\0'));
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 5 }), (name, terms) => {
      const filters = [[{ field: `custom_fields.${name}`, op: 'is' as const, terms }]];
      assert.deepEqual(read(writeRule(filters)), filters);
    }),
  );
});

test('a rule reads as it is said', () => {
  assert.equal(
    writeRule([
      [
        { field: 'email', op: 'ends_with', terms: ['@example.org'] },
        { field: 'city', op: 'is', terms: ['Berlin'] },
      ],
      [{ field: 'opened', op: 'in_last_days', terms: ['30', 'any'] }],
      [{ field: 'list', op: 'is_not', terms: ['17', '18'] }],
      [{ field: 'Home town', op: 'is_not', terms: ['Bonn', '7'] }],
    ]),
    'email ends with "@example.org" and city is "Berlin" or opened any mailing in the last 30 days' +
      ' or not on lists (17, 18) or "Home town" is not any of ("Bonn", 7)',
  );
});

test('and binds tighter than or, and parentheses tighter than both', () => {
  assert.deepEqual(shape('a is 1 or b is 2 and c is 3'), ['a', 'bc']);
  assert.deepEqual(shape('(a is 1 or b is 2) and c is 3'), ['ac', 'bc']);
  assert.deepEqual(shape('a is 1 and (b is 2 or c is 3) and (d is 4 or e is 5)'), ['abd', 'abe', 'acd', 'ace']);
  assert.deepEqual(shape('A IS 1 AND (b = "x" OR ((c >= 7)))'), ['Ab', 'Ac']);
});

test('what is said in other words is understood', () => {
  assert.deepEqual(firstOf('city in (Berlin, "Bonn")'), { field: 'city', op: 'in', terms: ['Berlin', 'Bonn'] });
  assert.deepEqual(firstOf('list is 17'), { field: 'list', op: 'is', terms: ['17'] });
  assert.deepEqual(firstOf('born has its anniversary in the next 1 day'), {
    field: 'born',
    op: 'anniversary_in_days',
    terms: ['1'],
  });
  assert.deepEqual(firstOf('"not" is "and"'), { field: 'not', op: 'is', terms: ['and'] });
});

function mistakeIn(rule: string): string {
  try {
    parseRule(rule);
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 400, String(error));
    return error.message;
  }
  return assert.fail('is taken');
}

test('a mistake is named with its place and without its words', () => {
  assert.equal(mistakeIn('secret is "x'), 'rule: at character 11: a quote is not closed');
  assert.equal(mistakeIn('secret is "x" secret'), 'rule: at character 15: expects and, or, or the end');
  assert.equal(mistakeIn('(secret is "x"'), 'rule: at character 15: expects )');
  assert.match(mistakeIn('not secret is "x"'), /^rule: at character 5: expects one of on, received/);
  assert.match(mistakeIn('opened secret'), /^rule: at character 8: expects mailing/);
  for (const rule of [
    '',
    'and',
    'a',
    'a is',
    'a is (',
    'a is (1,',
    'a is (1 2)',
    'a is between 1',
    'a is in the last 7',
  ]) {
    assert.match(mistakeIn(rule), /^rule: at character \d+: expects /, rule);
  }
});

test('a rule has bounds', () => {
  assert.equal(parseRule(many(20, ' or ')).length, 20);
  assert.match(mistakeIn(many(21, ' or ')), /at most 20 alternatives/);
  assert.equal(parseRule(many(20, ' and '))[0]?.length, 20);
  assert.match(mistakeIn(many(21, ' and ')), /at most 20 conditions/);
  assert.match(mistakeIn(many(5, ' and ', '(a is 1 or b is 2)')), /at most 20 alternatives/);
  assert.match(mistakeIn('('.repeat(21)), /parentheses/);
  assert.match(mistakeIn(`a is (${many(101, ', ', '1')})`), /at most 100 values/);
  assert.match(mistakeIn(' '.repeat(500_001)), /at most 500000 characters/);
});

test('no text breaks the reader, and none takes it long', () => {
  const words = 'and or not is any of ( ) , " \\ on list lists opened mailing in the last days between x 7 "y"'.split(
    ' ',
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((each) => each.join(' ')),
  );
  fc.assert(
    fc.property(hostile, (rule) => {
      try {
        parseRule(rule);
      } catch (error) {
        assert.ok(error instanceof AppError && error.status === 400, String(error));
      }
    }),
    { numRuns: 5_000 },
  );
  for (const piece of ['(', '"', '\\"', 'a ', 'a is 1 and ', 'a is (1,', '"\\', ' \n', 'not ', 'a is on or ']) {
    const started = process.threadCpuUsage();
    mistakeIn(piece.repeat(Math.floor(500_000 / piece.length)));
    const { user, system } = process.threadCpuUsage(started);
    assert.ok(user + system < 1_000_000, JSON.stringify(piece));
  }
});

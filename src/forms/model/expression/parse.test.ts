import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyExpression, written } from './expression.examples.ts';
import { ExpressionMistake, parseExpression } from './parse.ts';
import { DEEPEST_NESTING, type Expression, LONGEST_EXPRESSION, MOST_NODES, namesIn, renameIn } from './syntax.ts';

const a: Expression = { kind: 'answer', name: 'a' };
const b: Expression = { kind: 'answer', name: 'b' };
const c: Expression = { kind: 'answer', name: 'c' };
const one: Expression = { kind: 'literal', value: 1 };

const READ: Record<string, Expression> = {
  a,
  ' a ': a,
  été_2: { kind: 'answer', name: 'été_2' },
  '{any name: 1}': { kind: 'answer', name: 'any name: 1' },
  '{a}}b}': { kind: 'answer', name: 'a}b' },
  '{and}': { kind: 'answer', name: 'and' },
  '1.50': { kind: 'literal', value: 1.5 },
  '-1': { kind: 'literal', value: -1 },
  '- -1': one,
  '-a': { kind: 'negate', of: a },
  "'it\\'s'": { kind: 'literal', value: "it's" },
  '"a\\\\\'"': { kind: 'literal', value: "a\\'" },
  true: { kind: 'literal', value: true },
  null: { kind: 'literal', value: null },
  'a == 1': { kind: 'compare', sign: '==', left: a, right: one },
  'a = 1': { kind: 'compare', sign: '==', left: a, right: one },
  "{a}='x' and b!=1": {
    kind: 'and',
    left: { kind: 'compare', sign: '==', left: a, right: { kind: 'literal', value: 'x' } },
    right: { kind: 'compare', sign: '!=', left: b, right: one },
  },
  'a==1': { kind: 'compare', sign: '==', left: a, right: one },
  'a contains b': { kind: 'compare', sign: 'contains', left: a, right: b },
  'a in []': { kind: 'in', of: a, list: [] },
  'a in [1, b]': { kind: 'in', of: a, list: [one, b] },
  'a and b or c': { kind: 'or', left: { kind: 'and', left: a, right: b }, right: c },
  'a || b && c': { kind: 'or', left: a, right: { kind: 'and', left: b, right: c } },
  'a and (b or c)': { kind: 'and', left: a, right: { kind: 'or', left: b, right: c } },
  'not a and !b': { kind: 'and', left: { kind: 'not', of: a }, right: { kind: 'not', of: b } },
  'not a == 1': { kind: 'not', of: { kind: 'compare', sign: '==', left: a, right: one } },
  'a - b - c': {
    kind: 'reckon',
    sign: '-',
    left: { kind: 'reckon', sign: '-', left: a, right: b },
    right: c,
  },
  'a + b * c': {
    kind: 'reckon',
    sign: '+',
    left: a,
    right: { kind: 'reckon', sign: '*', left: b, right: c },
  },
  'sum(a, b)': { kind: 'call', name: 'sum', args: [a, b] },
  '{sum}': { kind: 'answer', name: 'sum' },
  sum: { kind: 'answer', name: 'sum' },
};

const REFUSED: Record<string, [position: number, rule: RegExp]> = {
  '': [1, /should stand here/],
  'a b': [3, /should end here/],
  'a === b': [5, /should stand here/],
  'a ==': [5, /should stand here/],
  'a == b == c': [11, /joined with and, or/],
  '(a': [3, /parenthesis is not closed/],
  'a)': [2, /should end here/],
  'a in b': [6, /square brackets/],
  'a in [b': [8, /list is not closed/],
  'a not in [b]': [3, /should end here/],
  'not in [b]': [8, /write not/],
  "a == 'b": [6, /text is not closed/],
  '{a': [1, /brace is not closed/],
  '{}': [1, /name is missing/],
  'a # b': [3, /no meaning/],
  'secret(a)': [1, /no such function/],
  'constructor(a)': [1, /no such function/],
  'empty()': [1, /takes 1 values/],
  'round(a, b, c)': [1, /takes 1 to 2 values/],
  'score(1)': [1, /score takes a question/],
};

test('what is written is read as people mean it', () => {
  for (const [source, tree] of Object.entries(READ)) assert.deepEqual(parseExpression(source), tree, source);
});

test('a mistake tells its position and the rule, and never repeats the source', () => {
  for (const [source, [position, rule]] of Object.entries(REFUSED)) {
    const mistake = mistakeIn(source);
    assert.match(mistake.message, rule, source);
    assert.equal(mistake.position, position, source);
    assert.doesNotMatch(mistake.message, /secret/);
  }
});

const long = (length: number) => `"${'x'.repeat(length - 2)}"`;

const wide = (parts: number) => `[${'1,'.repeat(parts)}`.slice(0, -1).replace('[', 'a in [').concat(']');

test('length, parts and nesting have limits, and at each limit an expression is still read', () => {
  parseExpression(long(LONGEST_EXPRESSION));
  assert.match(mistakeIn(long(LONGEST_EXPRESSION + 1)).message, /at most 2000 characters/);
  parseExpression(wide(MOST_NODES - 2));
  assert.match(mistakeIn(wide(MOST_NODES - 1)).message, /at most 500 parts/);
  for (const [open, close] of [
    ['(', ')'],
    ['not ', ''],
    ['-', ''],
    ['empty(', ')'],
  ] as const) {
    const nested = (depth: number) => `${open.repeat(depth)}a${close.repeat(depth)}`;
    parseExpression(nested(DEEPEST_NESTING));
    assert.match(mistakeIn(nested(DEEPEST_NESTING + 1)).message, /at most 32 levels/);
  }
});

test('any tree is read again from how it is written, through JSON and with other names', () => {
  fc.assert(
    fc.property(anyExpression, (tree) => {
      fc.pre(written(tree).length <= LONGEST_EXPRESSION);
      const read = parseExpression(written(tree));
      assert.deepEqual(read, tree);
      assert.deepEqual(JSON.parse(JSON.stringify(read)), tree);
      const renamed = renameIn(tree, (name) => `${name}!`);
      assert.deepEqual(namesIn(renamed), new Set([...namesIn(tree)].map((name) => `${name}!`)));
      assert.deepEqual(
        renameIn(renamed, (name) => name.slice(0, -1)),
        tree,
      );
    }),
    { numRuns: 500 },
  );
});

test('any text is read or refused with a place inside it', () => {
  const piece = fc.constantFrom(
    'a',
    '{b c}',
    '1',
    "'x'",
    '==',
    'and',
    'not',
    '(',
    ')',
    '[',
    ']',
    ',',
    'in',
    '-',
    ' ',
    '}',
  );
  const anyText = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' ')),
  );
  fc.assert(
    fc.property(anyText, (source) => {
      try {
        parseExpression(source);
      } catch (error) {
        assert.ok(error instanceof ExpressionMistake);
        assert.ok(error.position >= 1 && error.position <= source.length + 1);
      }
    }),
    { numRuns: 2_000 },
  );
});

function mistakeIn(source: string): ExpressionMistake {
  try {
    parseExpression(source);
  } catch (error) {
    assert.ok(error instanceof ExpressionMistake);
    return error;
  }
  return assert.fail(`${source} was read`);
}

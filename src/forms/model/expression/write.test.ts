import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyExpression } from './expression.examples.ts';
import { parseExpression } from './parse.ts';
import { writeExpression } from './write.ts';

test('what is written is read as the same expression', () => {
  fc.assert(fc.property(anyExpression, (tree) => assert.deepEqual(parseExpression(writeExpression(tree)), tree)));
});

test('numbers of any size are written without exponents', () => {
  for (const value of [0, 1e21, 1.5e300, 1e-7, 1.25e-9, -3e-8, 123456789.125]) {
    const text = writeExpression({ kind: 'literal', value });
    assert.match(text, /^-?\d+(\.\d+)?$/);
    assert.deepEqual(parseExpression(text), { kind: 'literal', value });
  }
});

test('people find no more parentheses than they need', () => {
  for (const text of [
    'a and b and c or d',
    '(a or b) and not (c == 1)',
    'a - b - (c - d) * 2',
    'not empty({Date of birth}) and x in ["a", -1, null]',
    'score(q1) + score(q2) > 9',
  ]) {
    assert.equal(writeExpression(parseExpression(text)), text);
  }
});

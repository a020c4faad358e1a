import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isMultipleOf } from './multiple.ts';

test('what is a multiple on paper is one', () => {
  for (const [number, step, expected] of [
    [0.07, 0.01, true],
    [0.3, 0.1, true],
    [12_345_678.91, 0.01, true],
    [12_345_678.915, 0.01, false],
    [1.15, 0.1, false],
    [-7.5, 2.5, true],
    [0, 3, true],
    [-0, 3, true],
    [1e-20, 1, false],
    [1_234_567_890_123_457, 10, false],
    [-9_007_199_254_740_990, 10, true],
    [1.4e21, 7, true],
    [Number.MAX_VALUE, 0.1, false],
  ] as const) {
    assert.equal(isMultipleOf(number, step), expected, `${number} of ${step}`);
  }
});

test('of whole numbers it is the remainder that tells, and of their parts the same', () => {
  const anyNumber = fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 });
  fc.assert(
    fc.property(anyNumber, fc.integer({ min: 1, max: 10 ** 6 }), fc.nat(6), (number, step, places) => {
      const [one, other] = [Number(`${number}e-${places}`), Number(`${step}e-${places}`)];
      assert.equal(isMultipleOf(one, other), number % step === 0, `${one} of ${other}`);
      assert.ok(isMultipleOf(Number(`${number - (number % step)}e-${places}`), other));
    }),
    { numRuns: 2_000 },
  );
});

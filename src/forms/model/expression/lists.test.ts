import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasEqual } from './lists.ts';
import { areEqual } from './values.ts';

const anyValue = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    false,
    'yes',
    'no',
    'True',
    0,
    -0,
    1,
    '1',
    '1.0',
    '-1',
    '',
    'a',
    NaN,
    Infinity,
  ),
  fc.anything({ maxDepth: 1 }),
);

test('a list has a value where one of its own is equal to it', () => {
  fc.assert(
    fc.property(fc.array(anyValue, { maxLength: 4 }), anyValue, (list, value) => {
      const isThere = list.some((item) => areEqual(item, value));
      assert.deepEqual([hasEqual(list, value), hasEqual(list, value)], [isThere, isThere]);
    }),
    { numRuns: 20_000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_BYTES } from '../submissions/receive.ts';
import { firstTooMuch } from './uploads-of.ts';

/** Files of these sizes, each of a question of its own. */
const sized = (...sizes: number[]) =>
  sizes.map((size, i) => {
    const file = { id: `${i}`, name: 'a.txt', type: 'text/plain', field: `q${i}`, size, sha256: '' };
    return { token: `${i}`, file };
  });

test('files are too much from the first byte on that a submission does not take', () => {
  assert.equal(firstTooMuch([]), null);
  assert.equal(firstTooMuch(sized(MOST_BYTES - 1)), null);
  assert.equal(firstTooMuch(sized(MOST_BYTES)), null);
  assert.deepEqual(firstTooMuch(sized(MOST_BYTES + 1)), { path: 'q0', room: MOST_BYTES });
  assert.equal(firstTooMuch(sized(MOST_BYTES - 2, 1, 0, 1)), null);
  assert.deepEqual(firstTooMuch(sized(MOST_BYTES - 2, 1, 0, 2)), { path: 'q3', room: 1 });
});

test('of several files that are too much the first is named', () => {
  assert.deepEqual(firstTooMuch(sized(MOST_BYTES - 4, 5, 1, 6)), { path: 'q1', room: 4 });
});

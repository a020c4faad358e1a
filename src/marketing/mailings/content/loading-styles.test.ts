import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stylesIn } from './loading-styles.ts';

test('a style element holds what stands before the next end of one', () => {
  assert.deepEqual(stylesIn('<style>a</style>b</style><p><style>c</style></style><style>d'), ['a', 'c', 'd']);
});

test('many style elements are found in no time', () => {
  // To look through the ends of all of them for each takes minutes.
  const begun = performance.now();
  assert.equal(stylesIn('<style></style>'.repeat(250_000)).length, 250_000);
  assert.ok(performance.now() - begun < 20_000);
});

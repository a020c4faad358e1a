import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemory } from './memory.ts';

test('an answer is found once at a time, again when it is old, and a failure is not kept', async () => {
  let now = 0;
  let asked = 0;
  const memory = createMemory<string, number>({ now: () => new Date(now) }, 100);
  const find = async () => ++asked;
  assert.deepEqual(await Promise.all([memory.of('a', find), memory.of('a', find), memory.of('b', find)]), [1, 1, 2]);
  now = 99;
  assert.equal(await memory.of('a', find), 1);
  now = 100;
  assert.equal(await memory.of('a', find), 3);
  memory.forget('a');
  await assert.rejects(memory.of('a', () => Promise.reject(new Error('away'))));
  assert.equal(await memory.of('a', find), 4);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealAndSign } from './sealer.ts';

test('a checkpoint is signed ahead of time once 5,000 rows wait for one', async () => {
  let signed = 0;
  const sealed = [4_999, 1, 0, 4_999, 0, 1, 12_000];
  const turn = sealAndSign({
    seal: async () => sealed.shift() ?? 0,
    checkpoint: async () => void (signed += 1),
  });
  const after: number[] = [];
  while (sealed.length > 0) {
    await turn();
    after.push(signed);
  }
  assert.deepEqual(after, [0, 1, 1, 1, 1, 2, 3]);
});

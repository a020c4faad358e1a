import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playWorlds } from './model/play.ts';

test('the product leads everybody as a plain model of it does', async (t) => {
  const { mails = 0 } = await playWorlds(t, { numRuns: 10, withinMs: 30_000 });
  assert.ok(mails > 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeTurns } from './turns.ts';

test('turns come every so often, and those that one of them took the time of are not made up for', async () => {
  const lasting = [10, 350, 10, 10];
  const began: number[] = [];
  let now = 0;
  const wait = async (ms: number) => void (now += ms);
  const turn = async () => {
    began.push(now);
    now += lasting[began.length - 1] ?? 0;
    return began.length < lasting.length;
  };
  await takeTurns(100, new AbortController().signal, turn, { now: () => now, wait });
  assert.deepEqual(began, [100, 200, 550, 650]);
});

test('the wait for a turn ends when all is over', async () => {
  const over = new AbortController();
  const turns = takeTurns(3600_000, over.signal, () => assert.fail('it was over'));
  over.abort();
  await turns;
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { todayAt } from './today.ts';

const HOUR_MS = 3_600_000;
const HOURS = 60;

function dayAt(time: number, hours: number): string {
  return new Date(time + hours * HOUR_MS).toISOString().slice(0, 10);
}

test('what day it is somewhere on earth changes with the hour at which it does, forth and back', () => {
  const edges = Array.from({ length: HOURS }, (_, hour) => [hour * HOUR_MS - 1, hour * HOUR_MS]).flat();
  for (const time of [...edges, ...edges.toReversed()]) {
    const today = todayAt(new Date(time));
    assert.deepEqual(today, { utc: dayAt(time, 0), first: dayAt(time, -12), last: dayAt(time, 14) });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givingWay } from './giving-way.ts';

/** Uses the thread as work does. */
function workFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** How many turns others had while something was done with each item. */
async function turnsDuring(items: number[], work: (item: number) => void): Promise<number> {
  let turns = 0;
  let ended = false;
  const count = () => {
    turns += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const seen: number[] = [];
  for await (const item of givingWay(items)) {
    work(item);
    seen.push(item);
  }
  ended = true;
  assert.deepEqual(seen, items);
  return turns;
}

test('others have a turn between items that take long, and the items come all and in their order', async () => {
  assert.ok((await turnsDuring([1, 2, 3, 4, 5], () => workFor(12))) >= 5);
});

test('what takes no time is not put off', async () => {
  const many = Array.from({ length: 100 }, (_, at) => at);
  assert.ok((await turnsDuring(many, () => undefined)) < 50);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLargeData, type LargeData } from './large-data.ts';

const SLICE = 16 * 1024;
const SLICES = 60;

/** Reads a message as a connection does, and notes each slice by its name. */
async function read(largeData: LargeData, name: string, slices: number, order: string[], received = 0): Promise<void> {
  for (let slice = 0; slice < slices; slice += 1) {
    await largeData.turn(received + slice * SLICE, SLICE);
    order.push(name);
  }
}

test('beside large messages a small one has to wait for a slice of each turn, and not for them', async () => {
  const largeData = createLargeData();
  const order: string[] = [];
  const large = ['a', 'b', 'c', 'd'].map((name) => read(largeData, name, SLICES, order, 2 ** 20));
  await nextTurn();
  const already = order.length;
  assert.ok(already < 4 * SLICES, 'the others are not through');
  await read(largeData, 'small', 4, order);
  assert.equal(order.lastIndexOf('small'), already + 3, 'what is small is read as it comes');
  let most = 0;
  for (let before = order.length; order.length < 4 * SLICES + 4; before = order.length) {
    await nextTurn();
    most = Math.max(most, order.length - before);
  }
  assert.ok(most <= 16, `${most} slices in one turn`);
  await Promise.all(large);
});

test('large messages are read side by side, and all of them to their end', async () => {
  const largeData = createLargeData();
  const order: string[] = [];
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => read(largeData, name, SLICES, order, 2 ** 20)));
  assert.equal(order.length, 4 * SLICES);
  const ends = ['a', 'b', 'c', 'd'].map((name) => order.lastIndexOf(name));
  assert.ok(Math.min(...ends) > 3 * SLICES, `the first ends after ${Math.min(...ends)} slices of all`);
});

test('a message is read as it comes until it is large', async () => {
  const largeData = createLargeData();
  const wait = [0, 1, 2 ** 18 - 1].map((received) => largeData.turn(received, 2 ** 20));
  assert.deepEqual(wait, [undefined, undefined, undefined]);
  assert.equal(largeData.turn(2 ** 18, 2 ** 20), undefined, 'nobody else is waiting');
  assert.ok(largeData.turn(2 ** 18, 1) instanceof Promise);
});

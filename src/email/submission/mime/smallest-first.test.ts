import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmallestFirst } from './smallest-first.ts';

function takeAll(queue: SmallestFirst<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken;
}

test('the smallest is taken first, and of equal ones whoever came first', () => {
  const queue = new SmallestFirst<string>();
  for (const [size, name] of [
    [9, 'large'],
    [1, 'small'],
    [5, 'middling'],
    [1, 'small too'],
  ] as const)
    queue.add(size, name);
  assert.deepEqual(takeAll(queue), ['small', 'small too', 'middling', 'large']);
  assert.equal(queue.take(), undefined);
});

test('whoever came first is overtaken sixteen times and no more', () => {
  const queue = new SmallestFirst<string>();
  queue.add(1_000, 'large');
  queue.add(2_000, 'larger');
  for (let each = 0; each < 40; each += 1) queue.add(1, 'small');
  const taken = takeAll(queue);
  assert.equal(taken.indexOf('large'), 16);
  assert.equal(taken.indexOf('larger'), 33);
  assert.equal(taken.length, 42);
});

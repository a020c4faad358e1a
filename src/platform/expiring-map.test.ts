import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExpiringMap } from './expiring-map.ts';

test('a thing is kept to the last millisecond of its time and no longer', () => {
  let now = 1_000;
  const map = createExpiringMap<string>({ now: () => new Date(now) }, 10);
  map.set('a', 'one', 500);
  now = 1_499;
  assert.equal(map.get('a'), 'one');
  now = 1_500;
  assert.equal(map.get('a'), undefined);
  map.set('b', 'none', 0);
  assert.equal(map.get('b'), undefined);
});

test('the oldest goes first where the map is full, and setting again makes new', () => {
  const map = createExpiringMap<number>({ now: () => new Date(0) }, 2);
  map.set('a', 1, 100);
  map.set('b', 2, 100);
  map.set('a', 3, 100);
  map.set('c', 4, 100);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4]);
});

test('where things have a size it is their sizes that have to fit, and what is too large for it is never kept', () => {
  const map = createExpiringMap<string>({ now: () => new Date(0) }, 10, ({ length }) => length);
  map.set('a', 'x'.repeat(4), 100);
  map.set('b', 'x'.repeat(4), 100);
  map.set('a', 'x'.repeat(6), 100);
  assert.equal(map.get('b'), 'x'.repeat(4));
  map.set('c', 'x'.repeat(5), 100);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [undefined, undefined, 'x'.repeat(5)]);
  map.set('d', 'x'.repeat(11), 100);
  assert.deepEqual([map.get('c'), map.get('d')], ['x'.repeat(5), undefined]);
});

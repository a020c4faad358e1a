import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withinBytes } from './page-size.ts';
import { shuffleIds } from './read-shuffled.ts';

const MB = 2 ** 20;
const sized = (...sizes: number[]) => sizes.map((size, at) => ({ id: String(at), size }));

test('a page takes what fits into 16 MB, and one that does not', () => {
  assert.deepEqual(withinBytes([]), []);
  assert.deepEqual(withinBytes(sized(8 * MB, 8 * MB)), ['0', '1']);
  assert.deepEqual(withinBytes(sized(8 * MB, 8 * MB, 1)), ['0', '1']);
  assert.deepEqual(withinBytes(sized(17 * MB, 1)), ['0']);
});

test('ids end anywhere, however many there are', () => {
  const count = 20_000;
  const ids = Buffer.alloc(count * 16);
  for (let at = 0; at < count; at += 1) ids.writeUInt32BE(at, at * 16);
  shuffleIds(ids);
  const places = Array.from({ length: count }, (_, at) => ids.readUInt32BE(at * 16));
  assert.equal(new Set(places).size, count, 'none is lost');
  // A third of all on the average; a window of 500 would give a fortieth.
  const moved = places.reduce((sum, place, at) => sum + Math.abs(place - at), 0) / count;
  assert.ok(Math.abs(moved / count - 1 / 3) < 0.02, String(moved / count));
});

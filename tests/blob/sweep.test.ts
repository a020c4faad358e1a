import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { sweepOrphans } from '../../src/platform/blob/sweep.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { from, listIds, openDiskWire, type Wire } from './wires.ts';

const HOUR = 3_600_000;
let wire: Wire;

beforeEach(async () => {
  wire = await openDiskWire();
});
afterEach(() => wire.stop());

const clockAhead = (ms: number): Clock => ({ now: () => new Date(Date.now() + ms) });

async function failToTell(): Promise<Set<string>> {
  throw new Error('no database');
}

async function writeBlobs(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await Promise.all(ids.map((id) => wire.store.write(id, from(randomBytes(8)))));
  return ids;
}

test('blobs that nothing refers to are removed once they are old enough', async () => {
  const [kept, ...orphans] = await writeBlobs(5);
  let asked = 0;
  const isReferenced = async () => new Set([String(kept), `${++asked}`]);
  const young = await sweepOrphans(
    { store: wire.store, clock: clockAhead(HOUR - 60_000), isReferenced },
    { olderThanMs: HOUR },
  );
  assert.deepEqual(young, { removed: 0 });
  assert.equal(asked, 0);
  assert.equal((await listIds(wire.store)).length, 5);
  const old = await sweepOrphans(
    { store: wire.store, clock: clockAhead(HOUR + 60_000), isReferenced },
    { olderThanMs: HOUR },
  );
  assert.deepEqual(old, { removed: orphans.length });
  assert.deepEqual(await listIds(wire.store), [kept]);
});

test('every old blob is asked about once, in pages of at most 500', async () => {
  const ids = await writeBlobs(1_001);
  const pages: string[][] = [];
  const isReferenced = async (page: string[]) => {
    pages.push(page);
    return new Set(page.filter((id) => id < '8'));
  };
  const { removed } = await sweepOrphans(
    { store: wire.store, clock: clockAhead(2 * HOUR), isReferenced },
    { olderThanMs: HOUR },
  );
  assert.deepEqual(
    pages.map((page) => page.length),
    [500, 500, 1],
  );
  assert.deepEqual(pages.flat().toSorted(), ids.toSorted());
  const kept = ids.filter((id) => id < '8').toSorted();
  assert.deepEqual(await listIds(wire.store), kept);
  assert.equal(removed, ids.length - kept.length);
});

test('what a killed writer left goes with the sweep, though a blob of that id is referred to', async () => {
  const [kept] = await writeBlobs(1);
  await wire.abandonWrite(String(kept), new Date());
  const deps = { store: wire.store, isReferenced: async () => new Set([String(kept)]) };
  assert.deepEqual(await sweepOrphans({ ...deps, clock: clockAhead(0) }, { olderThanMs: HOUR }), { removed: 0 });
  assert.equal((await wire.leftovers()).length, 1);
  assert.deepEqual(await sweepOrphans({ ...deps, clock: clockAhead(2 * HOUR) }, { olderThanMs: HOUR }), { removed: 1 });
  assert.deepEqual(await wire.leftovers(), []);
  assert.deepEqual(await listIds(wire.store), [kept]);
});

test('nothing is removed where it cannot be told what is referred to', async () => {
  await writeBlobs(3);
  const deps = { store: wire.store, clock: clockAhead(2 * HOUR), isReferenced: failToTell };
  await assert.rejects(sweepOrphans(deps, { olderThanMs: HOUR }), { message: 'no database' });
  assert.equal((await listIds(wire.store)).length, 3);
});

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { BlobMissing, type BlobStore } from '../../src/platform/blob/blob-store.ts';
import { openBlobStore } from '../../src/platform/blob/open-blob-store.ts';
import { collect, from, listIds, openDiskWire, openS3Wire, type Wire } from './wires.ts';

const MB = 1024 * 1024;

async function* failingAfter(bytes: Uint8Array, error: Error): AsyncGenerator<Uint8Array> {
  yield* from(bytes);
  throw error;
}

async function assertNothingOf(wire: Wire, id: string): Promise<void> {
  await assert.rejects(wire.store.size(id), BlobMissing);
  assert.ok(!(await listIds(wire.store)).includes(id));
  assert.deepEqual(await wire.leftovers(), []);
}

const kinds = [
  { kind: 'a folder', openWire: openDiskWire },
  { kind: 'an S3 bucket', openWire: openS3Wire },
];

for (const { kind, openWire } of kinds) {
  describe(`in ${kind}`, () => {
    let wire: Wire;
    let store: BlobStore;
    before(async () => {
      wire = await openWire();
      store = wire.store;
    });
    after(() => wire.stop());

    test('nothing is listed before anything was written', async () => {
      assert.deepEqual(await listIds(store), []);
      assert.equal(await store.removeUnfinished(new Date()), 0);
    });

    test('a blob reads back as it was written', async () => {
      for (const size of [0, 1, 16_400, 5 * MB, 5 * MB + 1, 13 * MB]) {
        const id = randomUUID();
        const bytes = randomBytes(size);
        assert.deepEqual(await store.write(id, from(bytes)), { size });
        assert.equal(await store.size(id), size);
        assert.ok((await collect(store.read(id))).equals(bytes), `${size} bytes`);
      }
    });

    test('a range gives what the blob has of it', async () => {
      const id = randomUUID();
      const bytes = randomBytes(200_000);
      await store.write(id, from(bytes));
      const ranges = [
        [0, 0],
        [0, 2],
        [1, 2],
        [70_000, 140_001],
        [0, 200_000],
        [199_999, 200_000],
      ];
      const beyond = [
        [199_000, 300_000],
        [200_000, 200_000],
        [200_000, 200_001],
        [300_000, 300_000],
      ];
      for (const [start = 0, end = 0] of [...ranges, ...beyond]) {
        const read = await collect(store.read(id, { start, end }));
        assert.ok(read.equals(bytes.subarray(start, end)), `${start} to ${end}`);
      }
      for (const range of [
        { start: -1, end: 2 },
        { start: 2, end: 1 },
        { start: 0.5, end: 1 },
      ]) {
        await assert.rejects(collect(store.read(id, range)), RangeError);
      }
    });

    test('a reader may stop in the middle', async () => {
      const id = randomUUID();
      await store.write(id, from(randomBytes(8 * MB)));
      for await (const bytes of store.read(id)) {
        assert.ok(bytes.length < MB);
        break;
      }
      assert.equal(await store.size(id), 8 * MB);
    });

    test('a blob that is not there is missing, and removing it is fine', async () => {
      const id = randomUUID();
      await store.write(id, from(randomBytes(10)));
      await store.remove(id);
      await store.remove(id);
      await assertNothingOf(wire, id);
      await assert.rejects(collect(store.read(id)), BlobMissing);
      await assert.rejects(collect(store.read(id, { start: 0, end: 5 })), BlobMissing);
      await assert.rejects(collect(store.read(id, { start: 0, end: 0 })), BlobMissing);
    });

    test('every blob is listed once with the time it was written', async () => {
      const others = await listIds(store);
      const begun = Date.now();
      const written: string[] = Array.from({ length: 10 }, () => randomUUID());
      for (const id of written) await store.write(id, from(randomBytes(10)));
      assert.deepEqual(await listIds(store), [...others, ...written].toSorted());
      for await (const { id, writtenAt } of store.list()) {
        if (!written.includes(id)) continue;
        assert.ok(writtenAt.getTime() > begun - 2_000 && writtenAt.getTime() <= Date.now() + 2_000);
      }
      for (const id of await listIds(store)) await store.remove(id);
      assert.deepEqual(await listIds(store), []);
    });

    test('writers at the same time do not mix', async () => {
      const blobs = Array.from({ length: 20 }, (_, index) => ({
        id: randomUUID(),
        bytes: randomBytes(index === 0 ? 11 * MB : index * 10_000),
      }));
      await Promise.all(blobs.map(({ id, bytes }) => store.write(id, from(bytes, 5_000))));
      for (const { id, bytes } of blobs) assert.ok((await collect(store.read(id))).equals(bytes));
      assert.deepEqual(await wire.leftovers(), []);
    });

    test('a source that fails half way leaves nothing', async () => {
      for (const size of [0, 100_000, 5 * MB, 12 * MB]) {
        const id = randomUUID();
        const error = new Error('cable cut');
        await assert.rejects(store.write(id, failingAfter(randomBytes(size), error)), (thrown) => thrown === error);
        await assertNothingOf(wire, id);
      }
    });

    test('a source that is dropped half way leaves nothing', async () => {
      for (const size of [100_000, 12 * MB]) {
        const id = randomUUID();
        const source = Readable.from(from(randomBytes(size)));
        let seen = 0;
        source.on('data', (bytes: Uint8Array) => {
          seen += bytes.length;
          if (seen > size / 2) source.destroy();
        });
        source.pause();
        await assert.rejects(store.write(id, source), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
        await assertNothingOf(wire, id);
      }
    });

    test('what a killed process left is removed once it is old, and only that', async () => {
      const old = new Date(Date.now() - 2 * 3_600_000);
      const hourAgo = new Date(Date.now() - 3_600_000);
      const kept = randomUUID();
      await store.write(kept, from(randomBytes(10)));
      for (let left = 0; left < 7; left++) await wire.abandonWrite(randomUUID(), old);
      await wire.abandonWrite(kept, old);
      await wire.abandonWrite(randomUUID(), new Date());
      assert.equal(await store.removeUnfinished(hourAgo), 8);
      assert.equal((await wire.leftovers()).length, 1);
      assert.equal(await store.size(kept), 10);
      assert.equal(await store.removeUnfinished(new Date(Date.now() + 3_600_000)), 1);
    });

    test('only a lower-case UUID names a blob', async () => {
      const good = randomUUID();
      const bad = ['', '.', '../x', `../${good}`, `${good}/`, `${good}\n`, ` ${good}`, good.toUpperCase()];
      for (const id of [...bad, good.replaceAll('-', ''), `${good}0`, good.replace(/^./, 'g')]) {
        await assert.rejects(store.write(id, from(randomBytes(1))), TypeError, id);
        await assert.rejects(collect(store.read(id)), TypeError, id);
        await assert.rejects(store.size(id), TypeError, id);
        await assert.rejects(store.remove(id), TypeError, id);
      }
    });

    test('a check passes where blobs can be written and leaves nothing', async () => {
      await store.check();
      assert.deepEqual(await wire.leftovers(), []);
      await assert.rejects(wire.unwritable.check());
      await assert.rejects(wire.unwritable.write(randomUUID(), from(randomBytes(1))));
    });
  });
}

test('a store is opened by its URL, and only by one that says where', async () => {
  for (const url of ['file:data', 'file://data/blobs', './data', 'https://bucket/x', 's3:bucket', '']) {
    await assert.rejects(openBlobStore(url), TypeError, url);
  }
});

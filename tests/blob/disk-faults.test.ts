import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createDiskStore } from '../../src/platform/blob/disk.ts';
import { repairDisk, watchDisk } from './failing-disk.ts';
import { collect, from, listIds } from './wires.ts';

const ID = '01920000-0000-7000-8000-00000000abcd';
const NEIGHBOUR = '01920000-0000-7000-8000-00000001abcd';
const bytes = randomBytes(50_000);
let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'carepost-faults-'));
  folder = join(parent, 'blobs');
});
afterEach(async () => {
  repairDisk();
  await rm(parent, { recursive: true });
});

const unfinished = () => readdir(join(folder, 'tmp')).catch(() => []);
const isSync = (entry: string | undefined) => entry?.startsWith('sync') ?? false;
const isRename = (entry: string) => entry.startsWith('rename');

/** The steps that make a write last, with paths inside the parent folder and without the random part of a name. */
function durableSteps(log: string[]): string[] {
  const steps = log.filter((entry) => isSync(entry) || isRename(entry));
  return steps.map((entry) => entry.replace(parent, '').replace(/\.[0-9a-f]{16}$/, ''));
}

test('a file is synced before it has its name, and every folder on the way to it after', async () => {
  const store = createDiskStore(folder);
  const finish = [`rename /blobs/cd/ab/${ID}`, 'sync /blobs/cd/ab'];
  const first = watchDisk();
  await store.write(ID, from(bytes));
  repairDisk();
  const made = ['sync /blobs', 'sync '];
  assert.deepEqual(durableSteps(first), [...made, `sync /blobs/tmp/${ID}`, 'sync /blobs/cd', 'sync /blobs', ...finish]);

  const second = watchDisk();
  await store.write(ID, from(bytes));
  repairDisk();
  assert.deepEqual(durableSteps(second), [`sync /blobs/tmp/${ID}`, ...finish]);

  // Another process may have been killed between making a folder and syncing it.
  const afterRestart = watchDisk();
  await createDiskStore(folder).write(ID, from(bytes));
  repairDisk();
  const settled = ['sync /blobs/cd', 'sync /blobs'];
  assert.deepEqual(durableSteps(afterRestart), [`sync /blobs/tmp/${ID}`, ...settled, ...finish]);
});

test('whichever call fails, the write is not acknowledged and the blob is whole or not there', async () => {
  for (let failing = 1; ; failing++) {
    await rm(folder, { recursive: true, force: true });
    const log = watchDisk(({ length }) => length === failing);
    const outcome = await createDiskStore(folder)
      .write(ID, from(bytes))
      .catch((error: { code: string }) => error.code);
    repairDisk();
    if (log.length < failing) {
      assert.deepEqual(outcome, { size: bytes.length });
      assert.ok(failing > 15, `only ${failing} calls were seen`);
      return;
    }
    assert.equal(outcome, 'EIO', log.at(-1));
    assert.deepEqual(await unfinished(), [], log.at(-1));
    const restarted = createDiskStore(folder);
    for (const id of await listIds(restarted)) assert.ok((await collect(restarted.read(id))).equals(bytes));
    await restarted.write(ID, from(bytes));
    assert.ok((await collect(restarted.read(ID))).equals(bytes));
  }
});

test('a file that cannot be synced is thrown away, and the sync is not tried again', async () => {
  const store = createDiskStore(folder);
  await store.check();
  const log = watchDisk((entries) => isSync(entries.at(-1)));
  await assert.rejects(store.write(ID, from(bytes)), { code: 'EIO' });
  repairDisk();
  assert.equal(log.filter(isSync).length, 1);
  assert.ok(!log.some(isRename));
  assert.deepEqual(await unfinished(), []);
  assert.deepEqual(await listIds(store), []);
  await store.write(ID, from(bytes));
  assert.equal(await store.size(ID), bytes.length);
});

test('after a folder could not be synced nothing is written until a restart, but blobs are read', async () => {
  const store = createDiskStore(folder);
  await store.write(NEIGHBOUR, from(bytes));
  const log = watchDisk((entries) => isSync(entries.at(-1)) && entries.some(isRename));
  await assert.rejects(store.write(ID, from(bytes)), { code: 'EIO' });
  const before = log.length;
  await assert.rejects(store.write(ID, from(bytes)), { message: 'A folder of the blob store could not be synced' });
  await assert.rejects(store.check(), { message: 'A folder of the blob store could not be synced' });
  assert.equal(log.length, before);
  repairDisk();
  await assert.rejects(store.check(), { message: 'A folder of the blob store could not be synced' });
  assert.ok((await collect(store.read(NEIGHBOUR))).equals(bytes));
  await createDiskStore(folder).write(ID, from(bytes));
});

test('writers of the same blob at the same time leave one of them whole', async () => {
  const store = createDiskStore(folder);
  const versions = Array.from({ length: 8 }, (_, index) => randomBytes(100_000 + index * 1_000));
  await Promise.all(versions.map((version) => store.write(ID, from(version, 3_000))));
  const stored = await collect(store.read(ID));
  assert.ok(versions.some((version) => version.equals(stored)));
  assert.deepEqual(await unfinished(), []);
});

test('only the owner can read blobs, and time-ordered ids are spread over folders', async () => {
  const store = createDiskStore(folder);
  await store.write(ID, from(bytes));
  const modeOf = async (...path: string[]) => ((await stat(join(folder, ...path))).mode & 0o777).toString(8);
  assert.equal(await modeOf('cd', 'ab', ID), '600');
  for (const path of [['cd', 'ab'], ['cd'], ['tmp'], []]) assert.equal(await modeOf(...path), '700');
  for (let count = 0; count < 30; count++)
    await store.write(`01920000-0000-7000-8000-${randomUUID().slice(-12)}`, from(bytes));
  assert.ok((await readdir(folder)).length > 10);
});

test('files that are no blobs are not listed', async () => {
  const store = createDiskStore(folder);
  await store.write(ID, from(bytes));
  await store.check();
  const other = createDiskStore(join(folder, 'cd'));
  await other.write(NEIGHBOUR, from(bytes));
  assert.deepEqual(await listIds(store), [ID]);
});

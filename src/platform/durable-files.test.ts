import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder, syncFolder, writeNew, writeWhole } from './durable-files.ts';

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function* cutOff() {
  yield Buffer.from('af');
  throw new Error('the source is away');
}

test('every folder that is new is made last in the one above it, and nobody else may enter', async (t) => {
  const root = scratch(t);
  const synced: string[] = [];
  const sync = async (path: string) => {
    synced.push(path);
    await syncFolder(path);
  };
  const deep = join(root, 'a', 'b', 'c');
  await makeFolder(deep, sync);
  assert.deepEqual(synced, [join(root, 'a', 'b'), join(root, 'a'), root]);
  assert.equal(statSync(dirname(deep)).mode & 0o777, 0o700);
  await makeFolder(deep, sync);
  assert.equal(synced.length, 3, 'what was there is as it was');
});

test('a file that cannot be written whole is as it was before, and leaves nothing beside it', async (t) => {
  const root = scratch(t);
  const file = join(root, 'file');
  await writeWhole(file, 'before');
  await assert.rejects(writeWhole(file, cutOff()), /the source is away/);
  assert.deepEqual([readdirSync(root), readFileSync(file, 'utf8')], [['file'], 'before']);
  await writeWhole(file, 'after');
  assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['after', 0o600]);
});

test('a new file takes the place of none', async (t) => {
  const file = join(scratch(t), 'file');
  await writeNew(file, 'one');
  await assert.rejects(writeNew(file, 'two'), { code: 'EEXIST' });
  assert.equal(readFileSync(file, 'utf8'), 'one');
});

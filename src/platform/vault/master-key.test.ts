import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMasterKeyFile, openMasterKeys, promoteNextKey } from './master-key.ts';

test('a key is said to be made or in force once its folder is written, and the one before it is kept before that', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'data.key');
  const written: string[][] = [];
  const sync = (path: string) => {
    assert.equal(path, folder);
    written.push(readdirSync(folder).toSorted());
  };
  createMasterKeyFile(file, sync);
  const before = openMasterKeys(file).current().id;
  createMasterKeyFile(`${file}.next`, sync);
  promoteNextKey(file, sync);
  assert.deepEqual(written, [
    ['data.key'],
    ['data.key', 'data.key.next'],
    ['data.key', 'data.key.next', 'data.key.previous'],
    ['data.key', 'data.key.previous'],
  ]);
  const keys = openMasterKeys(file);
  assert.notEqual(keys.current().id, before);
  assert.equal(keys.byId(before)?.id, before);
  assert.ok(!existsSync(`${file}.kept`));
});

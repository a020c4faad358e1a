import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCustomer } from '../../src/accounts/index.ts';
import { readConfig } from '../../src/config.ts';
import { openInstallation } from '../../src/installation.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';

test('an owner who is no superuser, but may create roles, can set everything up', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-owner-'));
  const log = createLog('silent');
  const server = await startEmbedded({ dataDir: join(folder, 'server'), log });
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  await withConnection(server.url, async (client) => {
    await client.query(`create role modest login createrole password 'modest'`);
    await client.query('create database modest owner modest');
  });
  const url = new URL(server.url);
  url.username = 'modest';
  url.password = 'modest';
  url.pathname = '/modest';
  const env = { CAREPOST_DATABASE_URL: url.href, CAREPOST_DATA_DIR: join(folder, 'data') };
  const installation = await openInstallation(readConfig(env), { log });
  const id = await createCustomer(installation, { kind: 'cli', id: 'test' }, { name: 'A', username: 'aa' });
  assert.equal(id, 1);
  await installation.close();
});

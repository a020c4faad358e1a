import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createHome, type Home, spawnServer } from '../support/server.ts';

/** The product as it begins to start; what it says is kept. */
function beginServer(t: TestContext, home: Home, env: Record<string, string> = {}) {
  const child = spawnServer(home, { CAREPOST_LOG_LEVEL: 'info', ...env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = once(child, 'close');
  t.after(() => child.kill('SIGKILL'));
  return {
    child,
    said: () => output,
    async ended() {
      const [code, signal] = await closed;
      return { code, signal, output };
    },
  };
}

test('a stop that is asked for while the embedded database starts leaves none behind', async (t) => {
  const home = await createHome(t);
  const { child, said, ended } = beginServer(t, home, { CAREPOST_LOG_LEVEL: 'warn' });
  const lock = join(home.dataDir, 'postgres', 'postmaster.pid');
  await eventually(async () => {
    assert.equal(child.exitCode, null, said());
    return existsSync(lock);
  }, 60_000);
  child.kill('SIGTERM');
  const { signal, output } = await ended();
  // Where the first start takes longer than a stop may, it ends in the middle, and the database behind it.
  assert.deepEqual({ signal, output }, { signal: null, output: '' });
  await eventually(async () => !existsSync(lock), 30_000);
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`a stop that is asked for by ${signal} while a node starts waits for it, and then takes all of it back`, async (t) => {
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const env = { CAREPOST_DATABASE_URL: database.url, CAREPOST_LOG_LEVEL: 'warn' };
    const { child, said, ended } = beginServer(t, await createHome(t), env);
    await withConnection(database.url, async (client) => {
      await client.query('begin; lock table nodes');
      await eventually(async () => {
        assert.equal(child.exitCode, null, said());
        const { rows } = await client.query(`select from pg_locks where not granted and relation = 'nodes'::regclass`);
        return rows.length > 0;
      }, 60_000);
      child.kill(signal);
      child.kill(signal); // asked for again, it is the same stop
      await client.query('commit');
    });
    assert.deepEqual(await ended(), { code: 0, signal: null, output: '' });
    const left = await withConnection(database.url, (client) => client.query('select from nodes'));
    assert.equal(left.rowCount, 0);
  });

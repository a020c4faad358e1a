import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/clock.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { ensurePartitions } from '../../src/platform/db/partitions.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { ensureRoles, urlForRole } from '../../src/platform/db/roles.ts';
import { migrateJobs } from '../../src/platform/jobs/runner.ts';
import { createLog } from '../../src/platform/log.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';

const ALL = readdirSync(join(import.meta.dirname, '..', '..', 'migrations')).toSorted();

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  return withConnection(url, async (client) => (await client.query(text)).rows);
}

async function appliedMigrations(url: string): Promise<unknown[]> {
  return (await query(url, 'select name from schema_migrations order by name')).map(({ name }) => name);
}

test('ten nodes that start at once on an empty database apply each migration once', async (t) => {
  const url = await createEmptyDatabase(t);
  const log = createLog('silent');
  const start = async () => {
    const applied = await migrate(url);
    await migrateJobs(url, log);
    await ensurePartitions(url, systemClock);
    return applied;
  };
  const applied = await Promise.all(Array.from({ length: 10 }, start));
  assert.deepEqual(applied.flat(), ALL);
  assert.deepEqual(await appliedMigrations(url), ALL);
  assert.deepEqual(await migrate(url), [], 'a second run finds nothing to do');
});

test('nodes that try out their roles keep none from migrating an empty database', async (t) => {
  const url = await createEmptyDatabase(t);
  await ensureRoles(url);
  await withConnection(urlForRole(url, 'app'), async () => {
    assert.deepEqual(await migrate(url), ALL);
  });
});

test('a migration that was changed after it ran is refused', async (t) => {
  const url = await createEmptyDatabase(t);
  await migrate(url);
  await query(url, `update schema_migrations set sha256 = sha256('another text') where name = '${ALL[2]}'`);
  await assert.rejects(migrate(url), { message: `migration ${ALL[2]} was changed after it ran` });
});

test('a migration that fails leaves nothing of itself, and the next run goes on from there', async (t) => {
  const url = await createEmptyDatabase(t);
  const failing = '0007_marketing.sql';
  await query(url, 'create table subscribers ()');
  await assert.rejects(migrate(url), { message: `migration ${failing} failed` });
  assert.deepEqual(
    await appliedMigrations(url),
    ALL.filter((name) => name < failing),
  );
  assert.deepEqual(await query(url, `select to_regclass('subscription_lists') as made_before_it_failed`), [
    { made_before_it_failed: null },
  ]);
  await query(url, 'drop table subscribers');
  assert.deepEqual(
    await migrate(url),
    ALL.filter((name) => name >= failing),
  );
});

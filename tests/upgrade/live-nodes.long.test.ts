import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Ended, runProcess } from '../support/command-line.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';

const ALL = readMigrations();
/** The first that the version before does not stand, once nodes say that they are there. */
const FIRST = ALL.find(({ name, beside }) => !beside && name > '0043_dashboard.sql')?.name as string;
/** From here on all of them may run beside the version before. */
const LAST = ALL.findLastIndex(({ beside }) => !beside);
/** So that a node is still there however long a command takes. */
const AHEAD_SECONDS = 300;
const REFUSED = `carepost: the version before cannot work beside migration ${FIRST}, and nodes of it were heard of within 30 seconds (web-1 0.0.9, web-2 0.0.9): stop every node and try again, or run carepost migrate --force\n`;

interface Schema {
  url: string;
  hear(host: string, secondsAgo: number): Promise<void>;
  run(...args: string[]): Promise<Ended>;
  isCurrent(): Promise<boolean>;
}

/** A database of the version before these migrations, with the commands of this one. */
async function openSchema(t: TestContext, pending: readonly string[]): Promise<Schema> {
  const url = await createEmptyDatabase(t);
  await migrate(url, { only: new Set(ALL.map(({ name }) => name).filter((name) => !pending.includes(name))) });
  const folder = mkdtempSync(join(tmpdir(), 'carepost-nodes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const env = { CAREPOST_DATABASE_URL: url, CAREPOST_DATA_DIR: join(folder, 'data'), CAREPOST_HTTP_PORT: '0' };
  const query = (text: string, values: unknown[] = []) => withConnection(url, (client) => client.query(text, values));
  return {
    url,
    run: (...args) => runProcess(args, env),
    hear: async (host, secondsAgo) =>
      void (await query(
        `insert into nodes values (gen_random_uuid(), $1, '{http}', '0.0.9', now(), now() - make_interval(secs => $2))`,
        [host, secondsAgo],
      )),
    isCurrent: async () => {
      const { rows } = await query('select count(*)::int as n from schema_migrations');
      return rows[0].n === ALL.length;
    },
  };
}

const namesFrom = (first: string) => ALL.map(({ name }) => name).filter((name) => name >= first);

test('what the version before does not stand waits until its nodes are stopped, unless it is forced', async (t) => {
  const { run, hear, isCurrent } = await openSchema(t, namesFrom(FIRST));
  await hear('gone', 31);
  await hear('web-2', -AHEAD_SECONDS);
  await hear('web-1', -AHEAD_SECONDS);
  const [command, server] = [await run('migrate', '--json'), await run('serve')];
  assert.deepEqual(command, { code: 1, out: '', err: REFUSED });
  assert.deepEqual(server, { code: 1, out: '', err: REFUSED });
  assert.equal(await isCurrent(), false);
  const forced = await run('migrate', '--force');
  assert.equal(forced.code, 0, forced.err);
  assert.equal(await isCurrent(), true);
});

test('nodes that are silent for 30 seconds, or that stand what is to run, are in no way', async (t) => {
  const silent = await openSchema(t, namesFrom(FIRST));
  await silent.hear('gone', 31);
  await migrate(silent.url);
  assert.equal(await silent.isCurrent(), true);
  const beside = ALL.slice(LAST + 1).map(({ name }) => name);
  assert.ok(beside.length > 0);
  const standing = await openSchema(t, beside);
  await standing.hear('web-1', -AHEAD_SECONDS);
  assert.deepEqual(await migrate(standing.url), beside);
});

test('nodes of a version that wrote none down are seen by their connections', async (t) => {
  const { url, run, isCurrent } = await openSchema(t, namesFrom('0042'));
  const node = openDatabase({ ownerUrl: url, log: createLog('silent') }, 'worker', 1);
  await node.untenanted((tx) => sql`select 1`.execute(tx));
  const { code, err } = await run('migrate', '--json');
  assert.equal(code, 1);
  assert.match(err, /\(1 open connections\): stop every node/);
  await node.close();
  assert.equal((await run('migrate', '--json')).code, 0);
  assert.ok(await isCurrent());
});

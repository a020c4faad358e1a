import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { backupRights, explainRefusal, judgeCopying } from '../../src/operations/doctor/backup-rights.ts';
import { clock as clockCheck, timeServiceOf, timeZones } from '../../src/operations/doctor/clock.ts';
import { judgeDurability } from '../../src/operations/doctor/database-settings.ts';
import { auditLog } from '../../src/operations/doctor/running.ts';
import { extensions, judgeNode, postgres } from '../../src/operations/doctor/versions.ts';
import { walls } from '../../src/operations/doctor/walls.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { bench, broken, database, examineOne, finds, folder, ownerUrl, sql, troubles } from './examined.ts';

examineOne();

test('settings of the database: durability, log, connections', async () => {
  await broken(
    database('synchronous_commit', 'off'),
    () => finds('durability', 'failed', /synchronous_commit off/),
    'durability',
  );
  const bad = new Map(Object.entries({ fsync: 'off', data_checksums: 'off', wal_level: 'minimal' }));
  assert.deepEqual(
    judgeDurability(bad).map(({ state }) => state),
    ['failed', 'warning', 'failed'],
  );
  await broken(
    database('log_statement', "'all'"),
    () => finds('database-log', 'warning', /by log_statement /),
    'database-log',
  );
  const crowd = `insert into nodes select gen_random_uuid(), 'h', '{worker}', 'v', now(), now() from generate_series(1, 9)`;
  await broken([crowd, 'delete from nodes'], () => finds('connections', 'warning', /for 9 node\(s\)/), 'connections');
});

test('the schema: migrations that wait, and those of a newer version', async () => {
  const { rows } = await sql(
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning *',
  );
  await finds('schema', 'warning', /^1 migration\(s\) wait/);
  assert.match((await troubles('schema'))[0]?.todo ?? '', /backup made by the version before/);
  const [{ name, sha256 }] = rows;
  await sql(`insert into schema_migrations (name, sha256) values ('${name}', '\\x${sha256.toString('hex')}')`);
  await sql(`insert into schema_migrations (name, sha256) values ('9999_later.sql', '\\x00')`);
  await finds('schema', 'failed', /newer version/);
  await sql(`delete from schema_migrations where name = '9999_later.sql'`);
  assert.deepEqual(await troubles('schema'), []);
});

test('walls: a table that lets others in, and a role that walks through', async () => {
  await broken(
    ['alter table forms no force row level security', 'alter table forms force row level security'],
    () => finds('walls', 'failed', /not forced on forms$/),
    'walls',
  );
  // Roles belong to the whole server: other tests must not see this one.
  await withConnection(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('create role carepost_passer bypassrls');
    const found = walls.needs === 'database' ? await walls.look(bench(client)) : [];
    assert.deepEqual(
      found.map(({ state }) => state),
      ['ok', 'failed'],
    );
    await client.query('rollback');
  });
});

test('versions: Node.js, the order of texts, extensions that are missing', async () => {
  assert.equal(judgeNode('22.11.0').state, 'failed');
  const bare = { query: async () => ({ rows: [{ name: 'pg_trgm' }] }) } as unknown as Client;
  const [missing] = extensions.needs === 'database' ? await extensions.look(bench(bare)) : [];
  assert.match(missing?.found ?? '', /^btree_gin cannot be had/);
  await withConnection(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(`update pg_database set datcollversion = 'other' where datname = current_database()`);
    const found = postgres.needs === 'database' ? await postgres.look(bench(client)) : [];
    assert.deepEqual(
      found.map(({ state }) => state),
      ['ok', 'failed'],
    );
    await client.query('rollback');
  });
});

test('time: a clock that is apart, one that nothing keeps right, and zones that differ', async () => {
  const later = { now: () => new Date(Date.now() + 60_000) };
  await withConnection(ownerUrl, async (client) => {
    const [apart] = clockCheck.needs === 'database' ? await clockCheck.look(bench(client, { clock: later })) : [];
    assert.equal(apart?.state, 'failed');
  });
  assert.equal((await timeServiceOf(async () => 'NTPSynchronized=no\n')).state, 'warning');
  assert.equal((await timeServiceOf(() => Promise.reject(new Error('not there')))).state, 'ok');
  const rows = [{ zone: 'Europe/Berlin', moment: new Date('2026-01-01T00:00:00Z'), hour: '05:00' }];
  const wrong = { query: async () => ({ rows }) } as unknown as Client;
  const [zones] = timeZones.needs === 'database' ? await timeZones.look(bench(wrong)) : [];
  assert.match(zones?.found ?? '', /another hour in Europe\/Berlin/);
});

test('customer keys: wrapped by another master key, a folder that is missing or open', async () => {
  assert.deepEqual(await troubles('customer-keys'), []);
  const other = join(folder, 'another.key');
  writeFileSync(other, Buffer.alloc(32, 7), { mode: 0o400 });
  await finds('customer-keys', 'failed', /keys of clinic cannot be opened/, { CAREPOST_MASTER_KEY_FILE: other });
  const store = join(folder, 'keys');
  const CAREPOST_KEY_STORE = `file://${store}`;
  await finds('customer-keys', 'failed', /has no keys in it/, { CAREPOST_KEY_STORE });
  mkdirSync(store, { mode: 0o755 });
  await finds('customer-keys', 'failed', /has no keys in it/, { CAREPOST_KEY_STORE });
  await finds('key-folder', 'failed', /others on this machine/, { CAREPOST_KEY_STORE });
  await broken(
    [
      'update customer_keys set customer_id = -customer_id where customer_id > 0',
      'update customer_keys set customer_id = -customer_id where customer_id < 0',
    ],
    () => finds('customer-keys', 'failed', /keys of clinic are gone, and nobody destroyed them/),
    'customer-keys',
  );
});

/** A backup or a restore that began some time ago. */
const ran = (kind: string, ago: string) =>
  sql(
    `insert into backup_runs (id, kind, started_at, ok) values (gen_random_uuid(), '${kind}', now() - interval '${ago}', true)`,
  );

test('backups: none, an old one, a late one, one that nobody has tried out lately', async () => {
  await finds('backup', 'warning', /no backup/);
  await ran('full', '2 days');
  await finds('backup', 'failed', /48 hours old/);
  await finds('restore-test', 'warning', /no backup was ever tried out/);
  await ran('incremental', '21 minutes');
  await finds('backup', 'warning', /21 minutes old/);
  await ran('incremental', '19 minutes');
  assert.deepEqual(await troubles('backup'), []);
  await ran('restore', '37 days');
  await finds('restore-test', 'warning', /37 days ago/);
  await ran('verify', '34 days');
  assert.deepEqual(await troubles('restore-test'), []);
});

const judged = (settings: Record<string, string>) =>
  judgeCopying(new Map(Object.entries(settings))).map(({ state }) => state);

test('rights of backups: a role that may not replicate, one that is not let in, no room, a log that is not kept', async () => {
  const role = `copier_${process.pid}`;
  const url = new URL(ownerUrl);
  [url.username, url.password] = [role, 'secret'];
  await sql(`create role ${role} login password 'secret'`);
  const look = () =>
    withConnection(ownerUrl, async (client) => {
      const found =
        backupRights.needs === 'database' ? await backupRights.look(bench(client, { ownerUrl: url.href })) : [];
      return found[0];
    });
  try {
    const refused = await look();
    assert.equal(refused?.state, 'warning');
    assert.match(refused?.todo ?? '', new RegExp(`^alter role ${role} replication, `));
    await sql(`alter role ${role} replication`);
    assert.equal((await look())?.state, 'ok');
  } finally {
    await sql(`drop role ${role}`);
  }
  assert.match(explainRefusal({ code: '28000' }, 'owner').todo ?? '', /^add "hostssl replication owner /);
  assert.match(explainRefusal({ code: '53300' }, 'owner').found, /max_wal_senders/);
  assert.deepEqual(judged({ max_wal_senders: '2', wal_keep_size: '0' }), ['warning', 'warning']);
  assert.deepEqual(judged({ max_wal_senders: '10', wal_keep_size: '2048' }), ['ok', 'ok']);
});

/** A process that was heard of some time ago. */
const put = (roles: string, version: string, ago: string) =>
  sql(
    `insert into nodes values (gen_random_uuid(), 'host-${version}', '{${roles}}', '${version}', now(), now() - interval '${ago}')`,
  );

test('what runs: silent processes, two versions, no worker, an audit log that is not sealed, no agreement', async () => {
  assert.deepEqual(await troubles('nodes'), []);
  await put('worker', '1', '5 minutes');
  await finds('nodes', 'warning', /nothing was heard of a process on host-1/);
  await sql('delete from nodes');
  await put('http', '2', '1 second');
  await finds('nodes', 'failed', /no process has the role worker/);
  await put('worker', '3', '1 second');
  await finds('nodes', 'warning', /versions 2 and 3 run|versions 3 and 2 run/);

  const later = { now: () => new Date(Date.now() + 3600_000) };
  const sealing = () =>
    withConnection(ownerUrl, async (client) => {
      const [verdict] = auditLog.needs === 'database' ? await auditLog.look(bench(client, { clock: later })) : [];
      assert.match(verdict?.found ?? '', /has not been sealed for 3\d{3} s/);
      return verdict?.state;
    });
  assert.deepEqual(await troubles('audit-log'), []);
  assert.equal(await sealing(), 'warning', 'nobody is there to seal it');
  await sql(`update nodes set seen_at = now() + interval '1 hour'`);
  assert.equal(await sealing(), 'failed');

  await sql(`update agreements set ends_on = '2020-01-02'`);
  await finds('agreements', 'failed', /none in force for clinic/);
  for (const ended of ['closed_at', 'destroyed_at']) {
    await sql(`update customers set ${ended} = now()`);
    assert.deepEqual(await troubles('agreements'), [], 'an agreement would open it again');
    await sql(`update customers set ${ended} = null`);
  }
});

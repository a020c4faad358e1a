import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { canConnect, withConnection } from '../../src/platform/db/pool.ts';
import { runHere } from '../support/command-line.ts';
import { startPostgres } from './postgres.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCKER = join(ROOT, 'deploy/docker');
const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

interface Database {
  command: string[];
  volumes: string[];
  environment: { POSTGRES_USER: string; POSTGRES_DB: string };
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-copied-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function requireLogKept(url: string): Promise<void> {
  const { rows } = await withConnection(url, (client) => client.query('show wal_keep_size'));
  assert.deepEqual(rows, [{ wal_keep_size: '2GB' }]);
}

/** What failed may be about a patient. */
async function requireQuietLog(url: string): Promise<void> {
  const { rows } = await withConnection(url, (client) =>
    client.query(
      `select name, setting from pg_settings where name in ('log_error_verbosity', 'log_min_error_statement') order by 1`,
    ),
  );
  assert.deepEqual(rows, [
    { name: 'log_error_verbosity', setting: 'terse' },
    { name: 'log_min_error_statement', setting: 'panic' },
  ]);
}

/** The product sets the database up and copies it, by one and the same address. */
async function backUp(folder: string, url: string): Promise<void> {
  const env = {
    CAREPOST_DATABASE_URL: url,
    CAREPOST_DATA_DIR: join(folder, 'data'),
    CAREPOST_MASTER_KEY_FILE: join(folder, 'master.key'),
  };
  assert.deepEqual((await runHere(['migrate'], env)).err, '');
  const backup = ['backup', '--to', join(folder, 'backups'), '--keys-to', join(folder, 'keys'), '--json'];
  const { code, out, err } = await runHere(backup, env);
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  assert.equal((JSON.parse(out) as { kind: string }).kind, 'full');
}

test('the database of the compose file is backed up over its network, and nobody enters it without a password', async (t) => {
  const { services } = parse(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: { database: Database };
  };
  const { command, volumes, environment } = services.database;
  const mounted = volumes.map((volume) => volume.split(':')).filter(([from]) => from?.startsWith('./'));
  const here = (text: string) =>
    mounted.reduce((path, [from = '', to = '']) => path.replace(to, join(DOCKER, from)), text);
  const [program, ...options] = command;
  assert.equal(program, 'postgres');
  const settings = options.filter((option) => option !== '-c').map(here);
  const { POSTGRES_USER: owner, POSTGRES_DB: database } = environment;
  const server = await startPostgres(t, owner, settings);
  await withConnection(server.localAddressOf(owner, 'postgres'), (client) =>
    client.query(`create database ${database}`),
  );
  const url = server.addressOf(owner, database);
  await requireLogKept(url);
  await requireQuietLog(url);
  await backUp(folderFor(t), url);
  for (const address of [url, server.localAddressOf(owner, database)]) {
    assert.ok(await canConnect(address));
    assert.ok(!(await canConnect(address.replace('CHANGE-ME', 'another'))));
  }
});

test('a PostgreSQL that is set up as docs/operations.md says is taken by the product and backed up', async (t) => {
  const folder = folderFor(t);
  const [, statements = ''] = /```sql\n([^`]+)```/.exec(PAGE) ?? [];
  const lines = (PAGE.match(/^hostssl .+$/gm) ?? []).map((line) =>
    line.replace('hostssl', 'host').replace('10.0.0.0/8', '127.0.0.1/32'),
  );
  assert.equal(lines.length, 2);
  const access = join(folder, 'pg_hba.conf');
  writeFileSync(access, ['local all postgres scram-sha-256', ...lines, ''].join('\n'));
  const server = await startPostgres(t, 'postgres', [`hba_file=${access}`]);
  await withConnection(server.localAddressOf('postgres', 'postgres'), async (client) => {
    for (const statement of statements.split(/;\n/)) await client.query(statement);
  });
  const url = server.addressOf('carepost_owner', 'carepost');
  await requireLogKept(url);
  await requireQuietLog(url);
  await backUp(folder, url);
});

test('docs/operations.md enables the timer after the database lets itself be copied', () => {
  const timer = PAGE.indexOf('enable --now carepost-backup.timer');
  assert.ok(timer > PAGE.indexOf('createrole replication') && PAGE.indexOf('createrole replication') > 0);
  assert.ok(timer > PAGE.indexOf('hostssl  replication') && PAGE.indexOf('hostssl  replication') > 0);
  assert.equal(PAGE.match(/enable --now.*carepost-backup\.timer/g)?.length, 1);
});

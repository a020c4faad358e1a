import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startS3 } from '../blob/s3-wire.ts';
import { runHere } from '../support/command-line.ts';
import { startPostgres15 } from '../support/postgres-15.ts';
import { createHome, type ServerProcess, startServer } from '../support/server.ts';
import { assertThere, doWork, openClinic } from './clinic.ts';

test('a server of one’s own with a modest owner and files in a bucket is backed up, tried out and restored', async (t) => {
  const [home, there] = [await createHome(t), await createHome(t)];
  const [to, keys] = [join(home.folder, 'backup'), join(home.folder, 'keys')];
  const s3 = await startS3(join(home.folder, 's3'));
  const servers: ServerProcess[] = [];
  t.after(async () => {
    for (const server of servers) await server.kill('SIGTERM');
    await s3.stop(); // which waits for them
  });
  const postgres = await startPostgres15(t);
  const env = { CAREPOST_DATABASE_URL: await postgres.createDatabase(), CAREPOST_BLOB_URL: s3.url };
  const carepost = async (args: string[], more: Record<string, string> = {}) => {
    const all = { CAREPOST_DATA_DIR: home.dataDir, TMPDIR: home.temp, ...env, ...postgres.env, ...more };
    const { code, out, err } = await runHere([...args, '--json'], all);
    return { code, err, json: out === '' ? null : JSON.parse(out) };
  };
  const back = () => carepost(['backup', '--to', to, '--keys-to', keys]);
  const server = await startServer(t, home, env);
  servers.push(server);
  const clinic = await openClinic(server);
  const first = await doWork(server, clinic, 'first');

  const refused = await back();
  assert.match(refused.err, /does not let this role copy it.*REPLICATION/);
  await withConnection(postgres.admin, (client) => client.query('alter role modest replication'));
  const full = await back();
  assert.deepEqual([full.code, full.err, full.json?.kind], [0, '', 'full']);
  const second = await doWork(server, clinic, 'second');
  const newest = await back();
  assert.deepEqual([newest.code, newest.err, newest.json?.kind], [0, '', 'incremental']);
  await server.kill('SIGTERM');

  const where = ['restore', '--from', to, '--keys', keys];
  await t.test('it is tried out by the programs of its own version', async () => {
    const other = await carepost([...where, '--verify']);
    assert.match(
      other.err,
      /^carepost: the backup is of PostgreSQL 15: name the folder with its programs by --postgres/,
    );
    const { code, err, json } = await carepost([...where, '--verify', '--postgres', postgres.programs]);
    assert.deepEqual([code, err, json?.faults], [0, '', []]);
    assert.deepEqual([json.submissions, json.files, json.recorded], [2, 2, true]);
  });

  await t.test('its data directory is run by another server, with the files in another place', async () => {
    copyFileSync(`${home.dataDir}.key`, `${there.dataDir}.key`);
    const pgdata = join(there.folder, 'pgdata');
    const blobUrl = s3.url.replace('/carepost/files', '/carepost/restored');
    const envThere = { CAREPOST_DATA_DIR: there.dataDir, CAREPOST_BLOB_URL: blobUrl };
    const { code, err, json } = await carepost([...where, '--pgdata', pgdata], envThere);
    assert.deepEqual([code, err, json?.files], [0, '', 2]);
    const databaseUrl = (await postgres.startOn(pgdata))(env.CAREPOST_DATABASE_URL);
    const mark = join(there.dataDir, 'restored.json');
    assert.ok(existsSync(mark));
    const restored = await startServer(t, there, { ...envThere, CAREPOST_DATABASE_URL: databaseUrl });
    servers.push(restored);
    for (const work of [first, second]) await assertThere(restored, clinic, work);
    assert.ok(!existsSync(mark));
    const { rows } = await withConnection(databaseUrl, (client) =>
      client.query(`select ok from backup_runs where kind = 'restore'`),
    );
    assert.deepEqual(rows, [{ ok: true }], 'the restore was looked at and noted');
  });
});

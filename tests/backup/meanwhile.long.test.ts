import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Installation } from '../../src/installation.ts';
import { listBackupRuns, runBackup } from '../../src/operations/backup/index.ts';
import { openSource, verifyBackup } from '../../src/operations/restore/index.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { locateBinaries } from '../../src/platform/db/embedded-binaries.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { runProcess } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { startRelay } from './relay.ts';

const HOUR_MS = 3600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const log = createLog('silent');

test('no more is lost while a full backup is taken than at other times, nor by what is wrong with older ones', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-backup-'));
  const clock = createMovableClock();
  const [to, keysTo] = [join(folder, 'to'), join(folder, 'keys')];
  const foreign = await startEmbedded({ dataDir: join(folder, 'foreign'), log });
  t.after(async () => {
    await foreign.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { installation } = await startApp(t, { clock, env: { CAREPOST_DATABASE_URL: foreign.url } });
  const { config, ownerUrl, db } = installation;
  const relay = await startRelay(ownerUrl);
  t.after(relay.close);
  const destination = { to, keysTo, replicationUrl: relay.url };
  const back = (everyMs = HOUR_MS, given: Installation = installation) => {
    clock.advance(1_000); // runs are told apart by when they began
    return runBackup(given, destination, { full: false, everyMs });
  };
  const manifestsOf = (chain: string) =>
    readdirSync(join(to, 'chains', chain)).filter((name) => name.endsWith('.manifest'));
  const newestOf = (chain: string) => {
    const [line = ''] = readFileSync(join(to, 'chains', chain, manifestsOf(chain).at(-1) ?? ''), 'utf8').split('\n');
    return JSON.parse(line) as { number: number; restorable_until: string };
  };
  const keyFileOf = (chain: string) => join(keysTo, `backup-${chain}.json`);
  const newestRun = async () =>
    (await listBackupRuns(db, { from: new Date(0), to: new Date(clock.now().getTime() + 1) })).at(-1);

  await t.test('the chain before is gone on with, at first and again and again', async () => {
    const { chain } = (await back()).manifest;
    clock.advance(WEEK_MS);
    const held = relay.hold('BASE_BACKUP');
    const renewing = back(50);
    try {
      await held.reached;
      const before = manifestsOf(chain).length;
      assert.ok(before >= 2, 'what there was when it began');
      await eventually(async () => manifestsOf(chain).length > before + 1);
    } finally {
      held.release();
      await Promise.allSettled([renewing]);
    }
    const { manifest, reason, notes } = await renewing;
    assert.deepEqual([manifest.kind, reason, notes], ['full', 'the last one is old enough', []]);
    assert.notEqual(manifest.chain, chain);
    const source = openSource(config, { from: to, keys: keysTo });
    const at = new Date(newestOf(chain).restorable_until);
    const verified = await verifyBackup(source, { at, binaries: locateBinaries(), log });
    assert.deepEqual(verified.faults, []);
  });

  await t.test('the new chain reaches as far as the one before when it takes its place', async () => {
    const { chain } = (await back()).manifest;
    clock.advance(WEEK_MS);
    const held = relay.hold('START_REPLICATION SLOT');
    const renewing = back(50);
    try {
      await held.reached;
      const before = manifestsOf(chain).length;
      await eventually(async () => manifestsOf(chain).length > before + 1);
    } finally {
      held.release();
      await Promise.allSettled([renewing]);
    }
    const { manifest, notes } = await renewing;
    assert.deepEqual(notes, []);
    const [old, young] = [newestOf(chain), newestOf(manifest.chain)];
    assert.ok(old.restorable_until > manifest.restorable_until);
    assert.ok(young.restorable_until > old.restorable_until);
    assert.equal((await back()).manifest.number, young.number + 1);
  });

  await t.test('where that fails, the full one is taken all the same and says so', async () => {
    clock.advance(WEEK_MS);
    let lists = 0;
    const blobStore = {
      ...installation.blobStore,
      list: () => {
        if (++lists === 1) throw new Error('the store is away');
        return installation.blobStore.list();
      },
    };
    const { manifest, notes } = await back(HOUR_MS, { ...installation, blobStore });
    assert.deepEqual([manifest.kind, notes], ['full', ['the chain before was not gone on with: the store is away']]);
  });

  await t.test(
    'a key file of an older chain that cannot be read is told, and keeps no backup from being taken',
    async () => {
      const [older = ''] = readdirSync(join(to, 'chains'));
      const good = readFileSync(keyFileOf(older));
      const damaged = `the backup is damaged: ${keyFileOf(older)} cannot be read`;
      for (const content of ['{', 'null', '{}']) {
        writeFileSync(keyFileOf(older), content);
        const { manifest, notes } = await back();
        assert.deepEqual([manifest.kind, notes], ['incremental', [damaged]], content);
        assert.equal((await newestRun())?.ok, true);
      }
      const env = {
        CAREPOST_DATA_DIR: config.dataDir,
        CAREPOST_DATABASE_URL: foreign.url,
        CAREPOST_MASTER_KEY_FILE: config.masterKeyFile,
      };
      const { code, out } = await runProcess(['backup', '--to', to, '--keys-to', keysTo], env);
      assert.deepEqual([code, out.split('\n').slice(1)], [0, [`Note: ${damaged}`, '']]);
      writeFileSync(keyFileOf(older), good);
    },
  );

  await t.test(
    'a chain that a lost master key sealed is followed by a new one, unless it is of somebody else',
    async () => {
      const { chain } = (await back()).manifest;
      const file = JSON.parse(readFileSync(keyFileOf(chain), 'utf8'));
      const seal = (id: string) => writeFileSync(keyFileOf(chain), JSON.stringify({ ...file, master_key_id: id }));
      const manifest = join(to, 'chains', chain, '000001.manifest');
      const signed = readFileSync(manifest, 'utf8');
      seal('0123456789abcdef');
      writeFileSync(manifest, signed.replace('"full"', '"other"'));
      await assert.rejects(back(), /another key than the 0123456789abcdef that sealed the backup/);
      writeFileSync(manifest, signed);
      const next = await back();
      assert.equal(next.manifest.kind, 'full');
      assert.match(next.reason ?? '', /another key than the 0123456789abcdef that sealed the backup/);
      assert.deepEqual(next.notes, []);
      seal(file.master_key_id);
    },
  );

  await t.test('a server that does not tell which it is cannot be compared, which is told', async () => {
    const url = new URL(ownerUrl);
    url.username = 'quiet';
    url.password = 'secret';
    await withConnection(ownerUrl, async (client) => {
      await client.query(`create role quiet login password 'secret' in role pg_read_all_data`);
      await client.query('revoke execute on function pg_control_system() from public');
    });
    const { manifest, notes } = await back(HOUR_MS, { ...installation, ownerUrl: url.href });
    assert.equal(manifest.kind, 'incremental');
    assert.deepEqual(notes, [
      'the database does not tell which server it is: --replication-url is not compared with it',
    ]);
  });
});

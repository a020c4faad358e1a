import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { destroyCustomerKeys } from '../../src/accounts/index.ts';
import type { Installation } from '../../src/installation.ts';
import { listBackupRuns, putBackCustomerKeys, runBackup } from '../../src/operations/backup/index.ts';
import { openSource, restoreExternal, verifyBackup } from '../../src/operations/restore/index.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { locateBinaries } from '../../src/platform/db/embedded-binaries.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMasterKeyFile, promoteNextKey } from '../../src/platform/vault/master-key.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';

const DAY_MS = 24 * 3600_000;
const log = createLog('silent');

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-backup-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A submission with a file, so that every kind of store holds something. */
async function submitTo(app: TestApp, customer: TestCustomer): Promise<void> {
  const formId = await addForm(app, customer.id);
  const body = {
    form_data: { question: 'an answer' },
    attachments: [{ name: 'a.txt', content: Buffer.alloc(50_000, 'a').toString('base64') }],
  };
  const reply = await app.request('POST', `/api/forms/${formId}/submissions`, { body });
  assert.equal(reply.status, 201, reply.text);
}

/** Ends the connection that holds the lock of a running backup. */
async function loseLock(ownerUrl: string): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query(`select pg_terminate_backend(pid, 5000) as ended from pg_locks
      where locktype = 'advisory' and objid = (hashtext('carepost backup')::bigint & 4294967295)::oid`);
    assert.deepEqual(rows, [{ ended: true }]);
  });
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** How many rows each table has, and a hash of all of them. */
async function fingerprints(url: string): Promise<Record<string, string>> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname <> 'backup_runs' order by 1`,
    );
    const found: Record<string, string> = {};
    for (const { name } of rows) {
      const text = `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as f from "${name}" t`;
      found[name] = (await client.query<{ f: string }>(text)).rows[0]?.f ?? '';
    }
    return found;
  });
}

test('a PostgreSQL of one’s own is backed up by its replication protocol', async (t) => {
  const folder = scratch(t);
  const clock = createMovableClock();
  const [to, keysTo, keyStore] = [join(folder, 'to'), join(folder, 'keys'), join(folder, 'customer-keys')];
  const foreign = await startEmbedded({ dataDir: join(folder, 'foreign'), log });
  t.after(foreign.stop);
  // As it stands in the settings of a server that was restored to a moment once.
  await withConnection(foreign.url, (client) =>
    client.query(`alter system set recovery_target_time = '2020-01-01 00:00:00+00'`),
  );
  const env = { CAREPOST_DATABASE_URL: foreign.url, CAREPOST_KEY_STORE: pathToFileURL(keyStore).href };
  const app = await startApp(t, { clock, env });
  const { installation } = app;
  const { config, ownerUrl, db } = installation;
  const destination = { to, keysTo, replicationUrl: ownerUrl };
  const back = (full = false, given: Installation = installation) => runBackup(given, destination, { full });
  const source = () => openSource(config, { from: to, keys: keysTo });
  const verify = (at: Date | null = null) => verifyBackup(source(), { at, binaries: locateBinaries(), log });
  const blobsIn = () => readdirSync(join(to, 'blobs'), { recursive: true }).filter((name) => name.length > 36).length;
  const chainsIn = () => readdirSync(join(to, 'chains'));
  const [kept, leaving] = [await app.createCustomer(), await app.createCustomer()];
  for (const customer of [kept, leaving]) await submitTo(app, customer);

  await t.test('the first is full, the next holds what is new, and two at once are refused', async () => {
    const first = await back();
    assert.deepEqual([first.manifest.kind, first.reason, first.manifest.blobs.files], ['full', 'there is none yet', 2]);
    await submitTo(app, kept);
    const [one, other] = await Promise.allSettled([back(), back()]);
    const [done, refused] = one.status === 'fulfilled' ? [one, other] : [other, one];
    assert.ok(done.status === 'fulfilled' && refused.status === 'rejected');
    assert.deepEqual([done.value.manifest.number, done.value.manifest.blobs.files], [2, 1]);
    assert.match(String(refused.reason), /another backup is running/);
    assert.ok(done.value.bytes < first.bytes / 2);
  });

  await t.test('one that is cut off leaves those before it, and the next goes on from them', async () => {
    let lists = 0;
    const blobStore = {
      ...installation.blobStore,
      list: () => (++lists === 2 ? fail('the store is away') : installation.blobStore.list()),
    };
    await assert.rejects(back(false, { ...installation, blobStore }), /the store is away/);
    const { manifest } = await back();
    assert.deepEqual([manifest.kind, manifest.number], ['incremental', 3]);
    const runs = await listBackupRuns(db, { from: new Date(0), to: new Date(clock.now().getTime() + 1) });
    assert.deepEqual(
      runs.map(({ kind, ok }) => [kind, ok]),
      [
        ['full', true],
        ['incremental', true],
        ['incremental', false],
        ['incremental', true],
      ],
    );
    clock.advance(90_000);
    const { text } = await app.request('GET', '/metrics');
    assert.match(text, /^carepost_backup_age_seconds 90$/m);
  });

  await t.test('one that loses its lock on the way ends without counting', async () => {
    let lists = 0;
    async function* list() {
      if (++lists === 2) await loseLock(ownerUrl);
      yield* installation.blobStore.list();
    }
    await assert.rejects(back(false, { ...installation, blobStore: { ...installation.blobStore, list } }));
    assert.equal((await back()).manifest.number, 4);
  });

  await t.test('its data directory runs elsewhere with every row as it was', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const { manifest } = await back();
    const before = await fingerprints(ownerUrl);
    const pgdata = join(elsewhere, 'postgres');
    const into = (sameStore: boolean) => restoreExternal(config, source(), { at: null, sameStore, pgdata });
    await assert.rejects(into(false), /CAREPOST_BLOB_URL leads to a store that is in use/, 'also right after a backup');
    assert.ok(!existsSync(pgdata), 'before anything is unpacked');
    await into(true);
    await assert.rejects(into(true), /--pgdata takes an empty folder/);
    const socketFolder = join(elsewhere, 'run');
    const { password } = new URL(ownerUrl);
    writeFileSync(join(elsewhere, 'postgres.json'), JSON.stringify({ socketFolder, password }));
    const server = await startEmbedded({ dataDir: elsewhere, log });
    try {
      const url = new URL(server.url);
      url.pathname = `/${manifest.server.database}`;
      await eventually(() =>
        withConnection(url.href, async (client) => {
          const { rows } = await client.query('select pg_is_in_recovery() as recovering');
          return !rows[0].recovering;
        }),
      );
      assert.deepEqual(await fingerprints(url.href), before);
    } finally {
      await server.stop();
    }
  });

  await t.test('keys that the store lost are kept in the copy, and put back from it', async () => {
    const name = `customer-${kept.id}.json`;
    const [inStore, inCopy] = [join(keyStore, name), join(keysTo, 'customer-keys', name)];
    const good = readFileSync(inStore, 'utf8');
    const lost = new RegExp(`lacks keys that were not destroyed: ${name};`);
    writeFileSync(inStore, good.slice(0, 40));
    await assert.rejects(back(), lost);
    await assert.rejects(putBackCustomerKeys(keysTo, keyStore), new RegExp(`other keys than the backup in ${name}`));
    writeFileSync(inStore, JSON.stringify(JSON.parse(good).slice(1)));
    await assert.rejects(back(), lost);
    rmSync(inStore);
    await assert.rejects(back(), lost);
    assert.equal(readFileSync(inCopy, 'utf8'), good);
    assert.equal(await putBackCustomerKeys(keysTo, keyStore), 1);
    assert.equal(readFileSync(inStore, 'utf8'), good);
    const another = join(folder, 'another-store');
    mkdirSync(another);
    const keys = JSON.parse(readFileSync(join(keyStore, 'customer-0.json'), 'utf8')) as { createdAt: string }[];
    const later = keys.map((key) => ({ ...key, createdAt: '2020-01-01T00:00:00.000Z' }));
    writeFileSync(join(another, 'customer-0.json'), JSON.stringify(later));
    await assert.rejects(putBackCustomerKeys(keysTo, another), /other keys than the backup in customer-0\.json/);
    assert.deepEqual(readdirSync(another), ['customer-0.json']);
  });

  await t.test(
    'keys that are destroyed are so in the copy too: old backups no longer open what they sealed',
    async () => {
      const before = new Date((await back()).manifest.restorable_until);
      const whole = await verify();
      assert.deepEqual([whole.faults, whole.submissions, whole.files, whole.customers_destroyed], [[], 3, 3, 0]);
      await destroyCustomerKeys(
        { ...installation, store: installation.keyStore, backupDays: 35 },
        app.act(leaving.id, 'x'),
      );
      await back();
      assert.deepEqual(readdirSync(join(keysTo, 'customer-keys')), ['customer-0.json', `customer-${kept.id}.json`]);
      const past = await verify(before);
      assert.deepEqual([past.faults, past.submissions, past.files, past.customers_destroyed], [[], 2, 2, 1]);
    },
  );

  await t.test('a new master key opens the chain that the old one sealed', async () => {
    createMasterKeyFile(`${config.masterKeyFile}.next`);
    promoteNextKey(config.masterKeyFile);
    t.after(() => rmSync(`${config.masterKeyFile}.previous`, { force: true }));
    const { manifest } = await back();
    assert.equal(manifest.kind, 'incremental');
    const file = JSON.parse(readFileSync(join(keysTo, `backup-${manifest.chain}.json`), 'utf8'));
    assert.equal(file.master_key_id, installation.masterKeys.current().id);
  });

  await t.test('fulls come often enough, and what is older than its time goes with its key and its files', async () => {
    const [first = ''] = chainsIn();
    clock.advance(8 * DAY_MS);
    const copies = readdirSync(join(to, 'blobs'), { recursive: true, encoding: 'utf8' });
    const blob = join(to, 'blobs', copies.find((name) => name.length > 36) ?? '');
    const intact = readFileSync(blob);
    writeFileSync(blob, Buffer.alloc(intact.length));
    const second = await back();
    assert.deepEqual([second.manifest.kind, second.reason], ['full', 'the last one is old enough']);
    assert.ok(readFileSync(blob).equals(intact), 'a copy that was altered is made again');
    assert.deepEqual(chainsIn(), [first, second.manifest.chain]);
    const gone = await withConnection(ownerUrl, (client) => client.query('select id from blobs limit 1'));
    await installation.blobStore.remove(gone.rows[0].id);
    clock.advance(27 * DAY_MS + 1);
    const third = await back();
    assert.deepEqual(third.pruned, [first]);
    assert.deepEqual(chainsIn(), [second.manifest.chain, third.manifest.chain]);
    assert.ok(!readdirSync(keysTo).includes(`backup-${first}.json`));
    assert.equal(blobsIn(), 3, 'the second still stands for what was removed since');
    clock.advance(36 * DAY_MS);
    const fourth = await back();
    assert.deepEqual(chainsIn(), [fourth.manifest.chain]);
    assert.equal(blobsIn(), 2);
    assert.equal((await back()).manifest.kind, 'incremental', 'the last one stays whatever its age');
  });

  await t.test('a chain that lost a file, its key or its manifest is not gone on with', async () => {
    const last = async () => (await back()).manifest;
    const { chain, number } = await last();
    rmSync(join(to, 'chains', chain, `${String(number).padStart(6, '0')}.wal`));
    assert.equal((await back()).reason, 'a file of the last one is missing');
    clock.advance(1000);
    const altered = join(to, 'chains', (await last()).chain, '000001.blobs');
    writeFileSync(
      altered,
      readFileSync(altered).map((byte) => byte ^ 1),
    );
    assert.match((await back()).reason ?? '', /000001\.blobs/);
    clock.advance(1000);
    rmSync(join(to, 'chains', (await last()).chain, '000001.blobs'));
    assert.equal((await back()).reason, 'a file of the last one is missing');
    clock.advance(1000);
    rmSync(join(keysTo, `backup-${(await last()).chain}.json`));
    assert.equal((await back()).reason, 'the key of the last one is not in --keys-to');
    clock.advance(1000);
    writeFileSync(join(to, 'chains', (await last()).chain, '000001.manifest'), '{}\n');
    assert.match((await back()).reason ?? '', /000001\.manifest cannot be read/);
  });

  await t.test('what was left by runs that failed goes before the next begins, which may need the room', async () => {
    const left = [
      join(to, 'chains', '20200101T000000000Z', '000001.base.0001.new'),
      join(keysTo, 'backup-20200101T000000000Z.json'),
      join(to, 'blobs', 'tmp', 'half'),
    ];
    for (const path of left) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, 'x');
    }
    const blobStore = { ...installation.blobStore, list: () => fail('no space is left') };
    await assert.rejects(back(false, { ...installation, blobStore }), /no space is left/);
    assert.deepEqual(
      left.filter((path) => existsSync(path)),
      [],
    );
  });

  await t.test('an empty folder where there were backups is not begun anew unasked', async () => {
    const unmounted = { ...destination, to: join(folder, 'unmounted') };
    await assert.rejects(runBackup(installation, unmounted, { full: false }), /is it mounted\?/);
    assert.ok(!existsSync(unmounted.to));
  });

  await t.test('a role that may not copy is told what it needs', async () => {
    const role = `replicator_${process.pid}`;
    const url = new URL(ownerUrl);
    url.username = role;
    url.password = 'secret';
    await withConnection(ownerUrl, (client) => client.query(`create role ${role} login password 'secret'`));
    try {
      const asRole = () => runBackup(installation, { ...destination, replicationUrl: url.href }, { full: false });
      await assert.rejects(asRole(), /does not let this role copy it.*REPLICATION.*--replication-url/);
      await withConnection(ownerUrl, (client) => client.query(`alter role ${role} replication`));
      assert.equal((await asRole()).manifest.kind, 'incremental');
    } finally {
      await withConnection(ownerUrl, (client) => client.query(`drop role ${role}`));
    }
  });

  await t.test('another server is refused, unless the database was moved there', async (within) => {
    const second = await startEmbedded({ dataDir: join(folder, 'second'), log });
    const other = await startApp(within, { clock, env: { CAREPOST_DATABASE_URL: second.url } });
    within.after(second.stop);
    const there = { ...destination, replicationUrl: other.installation.ownerUrl };
    await assert.rejects(runBackup(installation, there, { full: false }), /--replication-url is of another server/);
    const stranger = { ...other.installation, masterKeys: installation.masterKeys };
    await assert.rejects(runBackup(stranger, there, { full: true }), /--to holds backups of another database/);
    const moved = { ...installation, ownerUrl: other.installation.ownerUrl };
    const { manifest, reason } = await runBackup(moved, there, { full: false });
    assert.deepEqual([manifest.kind, reason], ['full', 'the database was moved']);
  });
});

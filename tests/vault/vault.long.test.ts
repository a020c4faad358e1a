import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { destroyCustomerKeys } from '../../src/accounts/index.ts';
import type { Output } from '../../src/cli/command.ts';
import { vaultDestroy, vaultRotate } from '../../src/cli/commands/vault.ts';
import { openInstallation } from '../../src/installation.ts';
import { RESEAL } from '../../src/jobs.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { AppError } from '../../src/platform/errors.ts';
import type { StoredKey } from '../../src/platform/vault/key-store.ts';
import { createMasterKeyFile, promoteNextKey } from '../../src/platform/vault/master-key.ts';
import { SealBroken } from '../../src/platform/vault/seal-broken.ts';
import { versionOf } from '../../src/platform/vault/sealed-column.ts';
import { createVault } from '../../src/platform/vault/vault.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { createTestTasks } from '../support/tasks.ts';

const SETTLING_MS = 6_000;
const RESERVED_BLOCK = 2 ** 18;
const EVERYTHING = { CAREPOST_ROLES: 'http,worker' };
const PLACE = { table: 'messages', row: 'a', column: 'envelope' };
const SEALED = {
  messages: 'envelope',
  message_contents: 'sealed',
  sandbox_messages: 'sealed',
  blobs: 'file_key',
  idempotency_keys: 'reply',
};

function send(app: TestApp, { key }: TestCustomer, { to = 'ann@example.com', file = '', once = '' } = {}) {
  const message = {
    recipients: [to],
    headers: { from: 'clinic@example.org', subject: 'Your results' },
    content: { 'text/plain': 'They are here.' },
    attachments: file === '' ? [] : [{ fileName: 'a.bin', contentType: 'application/pdf', content: file }],
  };
  const headers: Record<string, string> = once === '' ? {} : { 'idempotency-key': once };
  return app.request('POST', '/v1/email/messages', { key, headers, body: { data: { message } } });
}

function readInbox(app: TestApp, { key }: TestCustomer) {
  return app.request('GET', '/v1/email/sandbox/messages', { key });
}

async function waitForMail(app: TestApp, customer: TestCustomer, count: number) {
  return eventually(async () => {
    const { body } = await readInbox(app, customer);
    return body.data.length === count && body.data;
  });
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  return withConnection(url, async (client) => (await client.query(text)).rows);
}

/** Which key versions sealed what is stored of a customer, by table. */
async function versionsIn({ installation }: TestApp, customerId: number): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const [table, column] of Object.entries(SEALED)) {
    const text = `select ${column} as value from ${table} where customer_id = ${customerId} and ${column} is not null`;
    const rows = (await query(installation.ownerUrl, text)) as { value: Buffer }[];
    found[table] = [...new Set(rows.map(({ value }) => versionOf(value)))].toSorted((a, b) => a - b);
  }
  return found;
}

function everywhere(...versions: number[]): Record<string, number[]> {
  return Object.fromEntries(Object.keys(SEALED).map((table) => [table, versions]));
}

/** Runs a command beside the app, as another process would. */
async function run(app: TestApp, command: typeof vaultRotate, args: { customer?: number; confirm?: string } | string) {
  const named = typeof args === 'string' ? {} : args;
  const options = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value)]));
  const flags = new Set(typeof args === 'string' ? [args] : []);
  const output = await command.run({ config: app.installation.config, options, flags, given: '' });
  return (output as Output).json as Record<string, unknown>;
}

/** What three seconds would do: keys are asked for again at the next use. */
function forgetKeys({ installation }: TestApp, ...customers: { id: number }[]): void {
  for (const { id } of [{ id: 0 }, ...customers]) installation.vault.forget(id);
}

function destroyKeys({ installation, act }: TestApp, { id }: TestCustomer) {
  const { keyStore: store, config } = installation;
  const deps = { ...installation, store, backupDays: config.retention.backupDays };
  return destroyCustomerKeys(deps, act(id, 'vault.destroyed'));
}

/** A backup of a stopped app's database; returns the owner's address of the copy. */
async function backUp(t: TestContext, { installation }: TestApp): Promise<string> {
  const url = new URL(installation.ownerUrl);
  const source = url.pathname.slice(1);
  const name = `${source}_backup`;
  url.pathname = '/postgres';
  const admin = url.href;
  await eventually(async () => {
    const copied = await query(admin, `create database ${name} template ${source}`).catch((error: { code: string }) => {
      if (error.code !== '55006') throw error; // connections that are still closing
    });
    return copied !== undefined;
  });
  t.after(() => query(admin, `drop database ${name} with (force)`));
  url.pathname = `/${name}`;
  return url.href;
}

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-keys-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function removeAfter(t: TestContext, ...files: string[]): void {
  t.after(() => files.forEach((file) => rmSync(file, { force: true })));
}

test("one customer's values do not open with another's keys, and equal values have different indexes", async (t) => {
  const { installation, createCustomer } = await startApp(t);
  const [one, other] = [await createCustomer(), await createCustomer()];
  const [mine, theirs] = [await installation.vault.of(one.id), await installation.vault.of(other.id)];
  const sealed = mine.seal(PLACE, 'health data');
  assert.equal(mine.open(PLACE, sealed).toString(), 'health data');
  assert.throws(() => theirs.open(PLACE, sealed), SealBroken);
  assert.ok(mine.blindIndex('email', 'ann').equals(mine.blindIndex('email', 'ann')));
  assert.ok(!mine.blindIndex('email', 'ann').equals(theirs.blindIndex('email', 'ann')));
  assert.ok(!mine.blindIndex('email', 'ann').equals(mine.blindIndex('phone', 'ann')));
});

test('a rotated key seals once every node knows it, and all that is stored moves to it while serving', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: EVERYTHING });
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  const file = Buffer.alloc(300_000, 'x').toString('base64');
  const first = await send(app, customer, { once: 'first' });
  await send(app, customer, { file, once: 'second' });
  await send(app, other);
  await waitForMail(app, customer, 2);
  assert.deepEqual(await versionsIn(app, customer.id), everywhere(1));

  assert.deepEqual(await run(app, vaultRotate, { customer: customer.id }), { rotated: [customer.id] });
  forgetKeys(app, customer);
  await send(app, customer);
  await waitForMail(app, customer, 3);
  assert.deepEqual(await versionsIn(app, customer.id), everywhere(1), 'not before it has settled');

  clock.advance(5 * SETTLING_MS);
  forgetKeys(app, customer);
  await send(app, customer);
  const mail = await waitForMail(app, customer, 4);
  assert.ok((await versionsIn(app, customer.id)).messages?.includes(2));
  await eventually(async () => JSON.stringify(await versionsIn(app, customer.id)) === JSON.stringify(everywhere(2)));

  assert.deepEqual((await readInbox(app, customer)).body.data, mail);
  assert.deepEqual(
    mail.flatMap((each: { attachments: { size: number }[] }) => each.attachments.map(({ size }) => size)),
    [300_000],
  );
  const replayed = await send(app, customer, { once: 'first' });
  assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(replayed.body, first.body);
  assert.deepEqual((await versionsIn(app, other.id)).messages, [1], 'others keep theirs');
});

test('a reseal that begins before the new version has settled waits for it', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { installation } = app;
  const customer = await app.createCustomer();
  await send(app, customer, { once: 'first' });
  const workerDb = openDatabase(installation, 'worker', 1);
  t.after(() => workerDb.close());
  await installation.vault.rotate(customer.id);
  let done = false;
  const { [RESEAL]: task } = await createTestTasks(installation, workerDb);
  const reseal = task?.({ customerId: customer.id }).then(() => (done = true));
  await eventually(async () => (await installation.vault.of(customer.id)).version === 1);
  assert.equal(done, false);
  clock.advance(SETTLING_MS);
  await reseal;
  assert.deepEqual((await versionsIn(app, customer.id)).messages, [2]);
  assert.deepEqual((await versionsIn(app, customer.id)).idempotency_keys, [2]);
});

test('a new version begins by itself when a key has sealed as much as it may', async (t) => {
  const clock = createMovableClock();
  const { installation, createCustomer } = await startApp(t, { clock });
  const { id } = await createCustomer();
  const vault = createVault({ ...installation, store: installation.keyStore, sealsPerVersion: RESERVED_BLOCK });
  const versions = async () => {
    const keys = await installation.keyStore.load(id);
    return keys.filter(({ purpose }) => purpose === 'seal').map(({ version }) => version);
  };
  const keys = await vault.of(id);
  const sealed = keys.seal(PLACE, 'old');
  for (let count = 1; count < RESERVED_BLOCK; count += 1) keys.seal(PLACE, '');
  assert.throws(() => keys.seal(PLACE, ''), { code: 'unavailable' }, 'nothing is sealed beyond what was reserved');
  assert.deepEqual(await versions(), [1]);

  vault.forget(id);
  assert.equal((await vault.of(id)).version, 1);
  assert.deepEqual(await versions(), [1, 2]);
  clock.advance(SETTLING_MS);
  vault.forget(id);
  const renewed = await vault.of(id);
  assert.equal(renewed.version, 2);
  assert.equal(versionOf(renewed.seal(PLACE, 'new')), 2);
  assert.equal(renewed.open(PLACE, sealed).toString(), 'old');
  assert.deepEqual(await versions(), [1, 2]);
});

test('a customer without keys, or that does not exist, gets none by a rotation', async (t) => {
  const app = await startApp(t);
  const [gone, kept] = [await app.createCustomer(), await app.createCustomer()];
  await destroyKeys(app, gone);
  await assert.rejects(run(app, vaultRotate, { customer: gone.id }), AppError);
  await assert.rejects(run(app, vaultRotate, { customer: 999_999 }), { code: 'not_found' });
  assert.deepEqual(await run(app, vaultRotate, 'all'), { rotated: [kept.id] });
  assert.deepEqual(await app.installation.keyStore.load(gone.id), []);
  assert.deepEqual(await app.installation.keyStore.load(999_999), []);
});

test('the master key is replaced while the product serves', async (t) => {
  const app = await startApp(t, { env: EVERYTHING });
  const { masterKeyFile: file } = app.installation.config;
  removeAfter(t, `${file}.previous`);
  const customer = await app.createCustomer();
  await send(app, customer);
  await waitForMail(app, customer, 1);
  const before = readFileSync(file);

  const { master_key_id: id } = await run(app, vaultRotate, 'master');
  assert.deepEqual(readFileSync(`${file}.previous`), before);
  assert.notDeepEqual(readFileSync(file), before);
  assert.equal(statSync(file).mode & 0o777, 0o400);
  assert.equal(existsSync(`${file}.next`), false);

  forgetKeys(app, customer);
  assert.equal((await send(app, customer)).status, 200);
  await waitForMail(app, customer, 2);
  const late = await app.createCustomer();
  assert.equal((await send(app, late)).status, 200);
  assert.deepEqual(await query(app.installation.ownerUrl, 'select distinct master_key_id from customer_keys'), [
    { master_key_id: id },
  ]);

  await app.stop();
  rmSync(`${file}.previous`);
  const restarted = await startApp(t, { beside: app, env: EVERYTHING });
  await waitForMail(restarted, customer, 2);
  await waitForMail(restarted, late, 1);
  await restarted.stop();
});

test('a replacement of the master key that was cut off is finished by repeating it, and loses nothing', async (t) => {
  const app = await startApp(t, { env: EVERYTHING });
  const { masterKeyFile: file } = app.installation.config;
  removeAfter(t, `${file}.previous`, `${file}.next`);
  const customer = await app.createCustomer();
  await send(app, customer);
  await waitForMail(app, customer, 1);
  const first = readFileSync(file);
  await app.stop();

  createMasterKeyFile(`${file}.next`);
  const second = readFileSync(`${file}.next`);
  promoteNextKey(file);
  const cutOff = await startApp(t, { beside: app });
  await waitForMail(cutOff, customer, 1);
  await run(cutOff, vaultRotate, 'master');
  assert.deepEqual([readFileSync(`${file}.previous`), readFileSync(file)], [first, second]);
  await cutOff.stop();

  rmSync(`${file}.previous`);
  const finished = await startApp(t, { beside: app });
  await waitForMail(finished, customer, 1);
  await finished.stop();
});

test('a master key that cannot be replaced stays in force', (t) => {
  const file = join(createFolder(t), 'master.key');
  createMasterKeyFile(file);
  const before = readFileSync(file);
  assert.throws(() => promoteNextKey(file), { code: 'ENOENT' });
  assert.deepEqual(readFileSync(file), before);
  assert.throws(() => createMasterKeyFile(file), /exists already/);
  assert.deepEqual(readFileSync(file), before);
});

test('a start without the master key, or with another one, is refused and makes none', async (t) => {
  const app = await startApp(t);
  const { config, log } = app.installation;
  const file = config.masterKeyFile;
  const [{ master_key_id: id }] = (await query(
    app.installation.ownerUrl,
    'select distinct master_key_id from customer_keys',
  )) as [{ master_key_id: string }];
  await app.stop();
  const key = readFileSync(file);

  rmSync(file);
  await assert.rejects(openInstallation(config, { log }), {
    message: `CAREPOST_MASTER_KEY_FILE is missing (${file}), and the database was sealed with key ${id}`,
  });
  assert.deepEqual([existsSync(file), existsSync(`${file}.new`)], [false, false]);

  createMasterKeyFile(file);
  const another = readFileSync(file);
  await assert.rejects(openInstallation(config, { log }), {
    message: `CAREPOST_MASTER_KEY_FILE holds another key than the ${id} that sealed the database`,
  });
  assert.deepEqual(readFileSync(file), another);

  rmSync(file);
  writeFileSync(file, key.subarray(1));
  await assert.rejects(openInstallation(config, { log }), {
    message: 'CAREPOST_MASTER_KEY_FILE takes a file of 32 bytes',
  });
  writeFileSync(file, key);
  await (await openInstallation(config, { log })).close();
});

test('destroyed keys end every call of that customer that needs them at once, and nothing of others', async (t) => {
  const clock = createMovableClock(new Date('2031-05-20T12:00:00Z'));
  const app = await startApp(t, { clock, env: { CAREPOST_RETENTION: 'backups=10d' } });
  const [gone, kept] = [await app.createCustomer(), await app.createCustomer()];
  for (const customer of [gone, kept]) assert.equal((await send(app, customer, { once: 'first' })).status, 200);

  assert.deepEqual(await destroyKeys(app, gone), { backupsExpireOn: '2031-05-30' });
  for (const refused of [await send(app, gone), await send(app, gone, { once: 'first' }), await readInbox(app, gone)]) {
    assert.equal(refused.status, 403);
    assert.equal(refused.body.errors[0].details, 'The keys of this customer do not exist or were destroyed');
  }
  assert.equal((await app.request('GET', `/v1/forms/api/forms?customer_id=${gone.id}`, { key: gone.key })).status, 200);
  assert.equal((await send(app, kept)).status, 200);
  assert.equal((await send(app, kept, { once: 'first' })).headers.get('idempotency-replayed'), 'true');
  assert.equal((await readInbox(app, kept)).status, 200);

  clock.advance(24 * 3600_000);
  await destroyKeys(app, gone); // repeated after a crash
  assert.deepEqual(
    await query(
      app.installation.ownerUrl,
      'select customer_id, destroyed_at, destroyed_by, key_store, backups_expire_on::text from key_destructions',
    ),
    [
      {
        customer_id: gone.id,
        destroyed_at: new Date('2031-05-20T12:00:00Z'),
        destroyed_by: 'cli test',
        key_store: 'database',
        backups_expire_on: '2031-05-30',
      },
    ],
  );
});

test('keys destroyed on the command line are refused by a running server within seconds', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  assert.equal((await send(app, customer)).status, 200);
  await assert.rejects(run(app, vaultDestroy, { customer: customer.id, confirm: 'somebody' }), {
    message: '--confirm takes the username of the customer',
  });
  assert.equal((await send(app, customer)).status, 200);
  await run(app, vaultDestroy, { customer: customer.id, confirm: customer.username });
  await eventually(async () => (await send(app, customer)).status === 403);
});

test('with keys in the database an old backup still reads what was destroyed, hence the date in the record', async (t) => {
  const app = await startApp(t, { env: EVERYTHING });
  const customer = await app.createCustomer();
  await send(app, customer);
  await waitForMail(app, customer, 1);
  await app.stop();
  const backup = await backUp(t, app);
  const { backups_expire_on: day } = await run(app, vaultDestroy, {
    customer: customer.id,
    confirm: customer.username,
  });
  assert.match(String(day), /^\d{4}-\d{2}-\d{2}$/);
  const restored = await startApp(t, { beside: app, env: { CAREPOST_DATABASE_URL: backup } });
  await waitForMail(restored, customer, 1);
  await restored.stop();
});

test('with keys in a folder an old backup, the master key and the folder of today read nothing destroyed', async (t) => {
  const env = { ...EVERYTHING, CAREPOST_KEY_STORE: pathToFileURL(createFolder(t)).href };
  const app = await startApp(t, { env });
  const [gone, kept] = [await app.createCustomer(), await app.createCustomer()];
  const file = Buffer.alloc(300_000, 'x').toString('base64');
  for (const customer of [gone, kept]) {
    await send(app, customer, { file, once: 'first' });
    await waitForMail(app, customer, 1);
  }
  assert.deepEqual(await query(app.installation.ownerUrl, 'select from customer_keys'), []);
  await app.stop();
  const backup = await backUp(t, app);
  const restore = () =>
    startApp(t, { beside: app, env: { ...env, CAREPOST_ROLES: 'http', CAREPOST_DATABASE_URL: backup } });

  const before = await restore();
  await waitForMail(before, gone, 1);
  await before.stop();

  assert.deepEqual(await run(app, vaultDestroy, { customer: gone.id, confirm: gone.username }), {
    id: gone.id,
    backups_expire_on: null,
  });
  assert.deepEqual(
    await query(app.installation.ownerUrl, 'select customer_id, key_store, backups_expire_on from key_destructions'),
    [{ customer_id: gone.id, key_store: 'folder', backups_expire_on: null }],
  );
  const after = await restore();
  assert.equal((await readInbox(after, gone)).status, 403);
  assert.equal((await send(after, gone, { once: 'first' })).status, 403);
  await waitForMail(after, kept, 1);
  const remaining = await Promise.all([0, kept.id].map((id) => after.installation.vault.of(id)));
  for (const [table, column] of Object.entries(SEALED)) {
    const row = table === 'idempotency_keys' ? `operation || '/' || encode(key_hash, 'hex')` : 'id::text';
    const text = `select ${row} as row, ${column} as value from ${table} where customer_id = ${gone.id}`;
    const rows = (await query(backup, text)) as { row: string; value: Buffer | null }[];
    assert.ok(rows.length > 0, table);
    for (const { row: name, value } of rows) {
      if (value === null) continue;
      for (const keys of remaining)
        assert.throws(() => keys.open({ table, row: name, column }, value), SealBroken, table);
    }
  }
  await after.stop();
});

test('keys in a folder are rotated, rewrapped and kept from others like those in the database', async (t) => {
  const folder = createFolder(t);
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_KEY_STORE: pathToFileURL(folder).href } });
  const { vault, config } = app.installation;
  removeAfter(t, `${config.masterKeyFile}.previous`);
  const customer = await app.createCustomer();
  const sealed = (await vault.of(customer.id)).seal(PLACE, 'health data');
  const keyFile = join(folder, `customer-${customer.id}.json`);
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);

  await run(app, vaultRotate, { customer: customer.id });
  const { master_key_id: id } = await run(app, vaultRotate, 'master');
  const written = JSON.parse(readFileSync(keyFile, 'utf8')) as { masterKeyId: string }[];
  assert.deepEqual(
    written.map(({ masterKeyId }) => masterKeyId),
    [id, id, id],
  );
  clock.advance(5 * SETTLING_MS);
  forgetKeys(app, customer);
  const keys = await vault.of(customer.id);
  assert.equal(keys.version, 2);
  assert.equal(keys.open(PLACE, sealed).toString(), 'health data');
});

test('keys in a folder that several processes change at once lose none of those that one of them added', async (t) => {
  const folder = createFolder(t);
  const app = await startApp(t, { env: { CAREPOST_KEY_STORE: pathToFileURL(folder).href } });
  const nodes = await Promise.all(
    [1, 2, 3].map(() => startApp(t, { beside: app, env: { CAREPOST_KEY_STORE: pathToFileURL(folder).href } })),
  );
  const { id } = await app.createCustomer();
  const [first] = await app.installation.keyStore.load(id);
  assert.ok(first !== undefined);
  const versions = Array.from({ length: 12 }, (_, at) => at + 2);
  await Promise.all(
    versions.map((version, at) => {
      const { keyStore } = (nodes[at % nodes.length] ?? app).installation;
      return keyStore.add(id, [{ ...first, version }]);
    }),
  );
  const kept = (await app.installation.keyStore.load(id)).filter(({ purpose }) => purpose === first.purpose);
  assert.deepEqual(
    kept.map(({ version }) => version).toSorted((one, other) => one - other),
    [1, ...versions],
  );
});

for (const kept of ['in a folder', 'in the database'])
  test(`keys ${kept} that are destroyed while they are rotated or rewrapped do not come back, whoever is first`, async (t) => {
    const folder = createFolder(t);
    const inFolder = { CAREPOST_KEY_STORE: pathToFileURL(folder).href };
    const app = await startApp(t, { env: kept === 'in a folder' ? inFolder : {} });
    const { keyStore, ownerUrl } = app.installation;
    const waiting = async () => {
      const text = `select l.pid from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
      return (await query(ownerUrl, text)).length;
    };
    /** Begins both in this order, while somebody else has the turn. */
    const meet = (id: number, first: () => Promise<unknown>, second: () => Promise<unknown>) =>
      withConnection(ownerUrl, async (client) => {
        await client.query('begin');
        await client.query(`select pg_advisory_xact_lock(hashtext('carepost customer keys'), $1)`, [id]);
        const both: Promise<unknown>[] = [];
        for (const [at, change] of [first, second].entries()) {
          both.push(change());
          await eventually(async () => (await waiting()) === at + 1);
        }
        assert.equal((await keyStore.load(id)).length, 2, 'nothing is changed out of turn');
        const ended = Promise.allSettled(both); // before one is refused
        await client.query('commit');
        await ended;
      });
    const changes = {
      rewrapped: (id: number, keys: StoredKey[]) => keyStore.rewrap(id, keys),
      rotated: (id: number, [first]: StoredKey[]) => keyStore.add(id, [{ ...(first as StoredKey), version: 2 }]),
    };
    for (const [what, change] of Object.entries(changes)) {
      for (const isFirst of [true, false]) {
        const customer = await app.createCustomer();
        const keys = await keyStore.load(customer.id);
        const both = [() => change(customer.id, keys), () => destroyKeys(app, customer)] as const;
        await meet(customer.id, both[isFirst ? 0 : 1], both[isFirst ? 1 : 0]);
        assert.deepEqual(await keyStore.load(customer.id), [], `${what} ${isFirst ? 'first' : 'last'}`);
        assert.ok(!readdirSync(folder).includes(`customer-${customer.id}.json`), 'nor is there an empty file');
      }
    }
  });

test('with keys in a folder goes what a crash has left of a change to them', async (t) => {
  const folder = createFolder(t);
  const app = await startApp(t, { env: { CAREPOST_KEY_STORE: pathToFileURL(folder).href } });
  const customer = await app.createCustomer();
  const file = join(folder, `customer-${customer.id}.json`);
  copyFileSync(file, `${file}.new`);
  await destroyKeys(app, customer);
  assert.deepEqual(readdirSync(folder), ['customer-0.json']);
});

test('where the folder of keys is not mounted nothing starts or is made, and what runs answers to come again', async (t) => {
  const folder = createFolder(t);
  const app = await startApp(t, { env: { CAREPOST_KEY_STORE: pathToFileURL(folder).href } });
  const { config, log, vault } = app.installation;
  const customer = await app.createCustomer();
  const elsewhere = `${folder}-elsewhere`;
  renameSync(folder, elsewhere);
  mkdirSync(folder);
  forgetKeys(app, customer);
  const { status, headers } = await send(app, customer);
  assert.deepEqual([status, headers.get('retry-after')], [503, '30']);
  await assert.rejects(vault.createKeys(customer.id + 1), { code: 'unavailable' });
  await assert.rejects(destroyKeys(app, customer), { code: 'unavailable' });
  await assert.rejects(openInstallation(config, { log }), {
    message: /^CAREPOST_KEY_STORE \(.*\) holds no keys of this installation: mount the folder that does/,
  });
  assert.deepEqual(readdirSync(folder), []);

  rmdirSync(folder);
  renameSync(elsewhere, folder);
  assert.equal((await send(app, customer)).status, 200);
});

test('a master key is not replaced while the one before it lies beside it, which may be the last copy', async (t) => {
  const app = await startApp(t);
  const { masterKeyFile: file } = app.installation.config;
  removeAfter(t, `${file}.previous`);
  await run(app, vaultRotate, 'master');
  const [previous, current] = [readFileSync(`${file}.previous`), readFileSync(file)];
  await assert.rejects(run(app, vaultRotate, 'master'), { message: /\.previous is still there/ });
  assert.deepEqual([readFileSync(`${file}.previous`), readFileSync(file)], [previous, current]);
  assert.equal(existsSync(`${file}.next`), false);
});

test('wrapped keys that were swapped between customers, purposes or versions are refused', async (t) => {
  const app = await startApp(t);
  const { vault, ownerUrl } = app.installation;
  const [one, other] = [await app.createCustomer(), await app.createCustomer()];
  await vault.rotate(one.id);
  const swap = async (here: string, there: string) => {
    const swapped = `update customer_keys k set wrapped = o.wrapped from customer_keys o
      where (k.customer_id, k.purpose, k.version) in ((${here}), (${there}))
        and (o.customer_id, o.purpose, o.version) in ((${here}), (${there}))
        and (k.customer_id, k.purpose, k.version) <> (o.customer_id, o.purpose, o.version)`;
    await query(ownerUrl, swapped);
    vault.forget(one.id);
    await assert.rejects(vault.of(one.id), SealBroken);
    assert.equal((await send(app, one)).status, 500);
    await query(ownerUrl, swapped);
    vault.forget(one.id);
    assert.equal((await send(app, one)).status, 200);
  };
  await swap(`${one.id}, 'seal', 1`, `${other.id}, 'seal', 1`);
  await swap(`${one.id}, 'index', 1`, `${other.id}, 'index', 1`);
  await swap(`${one.id}, 'seal', 1`, `${one.id}, 'index', 1`);
  await swap(`${one.id}, 'seal', 1`, `${one.id}, 'seal', 2`);
});

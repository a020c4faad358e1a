import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { base64, submit, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createAuthority } from '../support/authority.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';
import { grows, measure, scrape } from './scrape.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let freeBytes = Number.MAX_SAFE_INTEGER;
before(async (t) => {
  // Without a worker, so that everything stays where it is.
  const overrides = { freeBytes: async () => freeBytes };
  const folder = mkdtempSync(join(tmpdir(), 'carepost-seal-'));
  (t as TestContext).after(() => rmSync(folder, { recursive: true, force: true }));
  const [certFile, keyFile] = [join(folder, 'seal.crt'), join(folder, 'seal.key')];
  const notAfter = new Date(clock.now().getTime() + 30 * DAY * 1000);
  const seal = await (await createAuthority()).issue({ names: ['seal.example.org'], notAfter });
  writeFileSync(certFile, seal.cert);
  writeFileSync(keyFile, seal.key);
  const env = { CAREPOST_ROLES: 'http', CAREPOST_SEAL_CERT_FILE: certFile, CAREPOST_SEAL_KEY_FILE: keyFile };
  app = await startApp(t as TestContext, { clock, env, overrides });
  customer = await app.createCustomer();
});

const asOwner = (text: string) => withConnection(app.installation.ownerUrl, (client) => client.query(text));

/** Lets time pass, so that everything is looked at anew. */
function pass(seconds: number): void {
  clock.advance(seconds * 1000);
}

test('mail that waits is told by queue and by destination, and small destinations are not named', async () => {
  const recipients = Array.from({ length: 12 }, (_, n) => `p${n}@slow.example`);
  await send(app, customer.key, { ...messageTo('x@tiny.example'), recipients: [...recipients, 'x@tiny.example'] });
  pass(HOUR);
  assert.equal(await measure(app, 'carepost_queue_waiting', { queue: 'messages' }), 13);
  assert.equal(await measure(app, 'carepost_queue_oldest_due_seconds', { queue: 'messages' }), HOUR);
  assert.equal(await measure(app, 'carepost_destination_waiting', { destination: 'slow.example' }), 12);
  assert.equal(await measure(app, 'carepost_destination_oldest_seconds', { destination: 'slow.example' }), HOUR);
  assert.equal(await measure(app, 'carepost_destination_waiting', { destination: 'other' }), 1);
  assert.equal(await measure(app, 'carepost_destination_oldest_seconds', { destination: 'other' }), HOUR);
  assert.equal(await measure(app, 'carepost_destination_waiting'), 13, 'nobody is counted twice or left out');
});

test('mail that was put off or stands aside is as old as its first attempt, or as itself', async () => {
  const count = Array.from({ length: 10 }, (_, n) => n);
  await send(app, customer.key, { ...messageTo('x@x'), recipients: count.map((n) => `p${n}@later.example`) });
  await send(app, customer.key, { ...messageTo('x@x'), recipients: count.map((n) => `p${n}@aside.example`) });
  await asOwner(`
    with tried as (
      update message_recipients set attempts = 1, due_at = due_at + interval '5 hours'
      where domain = 'later.example' returning *)
    insert into delivery_attempts (message_id, ordinal, attempt, customer_id, started_at)
    select message_id, ordinal, 1, customer_id, due_at - interval '6 hours' from tried`);
  await asOwner(`update message_recipients set parked = true, due_at = null where domain = 'aside.example'`);
  pass(2 * HOUR);
  const age = (destination: string) => measure(app, 'carepost_destination_oldest_seconds', { destination });
  assert.equal(await age('later.example'), 3 * HOUR);
  assert.equal(await age('aside.example'), 2 * HOUR);
});

test('no more than twenty destinations are named, those that wait longest', async () => {
  await asOwner(`delete from message_recipients`);
  for (let n = 0; n < 22; n += 1) {
    const recipients = Array.from({ length: 10 }, (_, p) => `p${p}@d${n}.example`);
    await send(app, customer.key, { ...messageTo('x@x'), recipients });
    pass(60);
  }
  const named = (await scrape(app)).filter(({ name }) => name === 'carepost_destination_waiting');
  assert.equal(named.length, 21);
  const names = new Set(named.map(({ labels }) => labels.destination));
  for (const missing of ['d20.example', 'd21.example']) assert.ok(!names.has(missing));
  assert.equal(named.find(({ labels }) => labels.destination === 'other')?.value, 20);
});

test('audit rows that are not chained yet are told by their age', async () => {
  await asOwner(
    'update audit_watermark set sealed_below = (select max(xact)::text::bigint + 1 from audit_log)::text::xid8',
  );
  pass(10);
  assert.equal(await measure(app, 'carepost_audit_seal_lag_seconds'), 0);
  await app.createKey(customer, ['email']);
  pass(90);
  assert.equal(await measure(app, 'carepost_audit_seal_lag_seconds'), 90);
});

test('processes are counted by role, and those that fall silent apart', async () => {
  await eventually(async () => {
    pass(3);
    return (await measure(app, 'carepost_nodes', { role: 'http' })) === 1;
  });
  assert.equal(await measure(app, 'carepost_nodes', { role: 'worker' }), 0);
  pass(45);
  assert.equal(await measure(app, 'carepost_nodes', { role: 'http' }), 0);
  assert.equal(await measure(app, 'carepost_nodes_silent'), 1);
});

test('side jobs that fail are counted, and those that were given up', async () => {
  await asOwner(`select graphile_worker.add_job('x', '{}'), graphile_worker.add_job('y', '{}')`);
  await asOwner(`update graphile_worker._private_jobs set last_error = 'e', attempts = 3`);
  await asOwner(`update graphile_worker._private_jobs set attempts = max_attempts where id = (
    select max(id) from graphile_worker._private_jobs)`);
  pass(10);
  assert.equal(await measure(app, 'carepost_jobs_in_trouble', { state: 'failing' }), 1);
  assert.equal(await measure(app, 'carepost_jobs_in_trouble', { state: 'given_up' }), 1);
});

test('the disk, the certificates, the version and the migrations are told', async () => {
  const free = await measure(app, 'carepost_disk_free_bytes');
  const size = await measure(app, 'carepost_disk_size_bytes');
  assert.ok(free !== null && size !== null && free > 0 && free < size);
  assert.equal(await measure(app, 'carepost_disk_least_free_bytes'), 2 ** 20);
  const days = (await measure(app, 'carepost_seal_certificate_days')) ?? 0;
  assert.ok(days > 28 && days < 30);
  assert.equal(await measure(app, 'carepost_build_info', { node: process.versions.node }), 1);
  assert.equal(await measure(app, 'carepost_migrations_pending'), 0);
  const gone = await asOwner(
    `delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`,
  );
  pass(DAY);
  const after = (await measure(app, 'carepost_seal_certificate_days')) ?? 0;
  assert.ok(Math.abs(days - 1 - after) < 0.01);
  assert.equal(await measure(app, 'carepost_migrations_pending'), gone.rowCount);
});

/** How old the newest of something is. */
const ageOf = (what: string) => measure(app, `carepost_${what}_age_seconds`);

test('the age of the newest backup is told, and of the newest that was tried out; what failed does not count', async () => {
  assert.deepEqual([await ageOf('backup'), await ageOf('restore_test')], [null, null]);
  const now = clock.now().toISOString();
  await asOwner(`insert into backup_runs (id, kind, started_at, ok)
    select gen_random_uuid(), kind, '${now}'::timestamptz - ago::interval, ok from (values ('full', '9 hours', true),
      ('incremental', '1 hour', true), ('full', '1 minute', false), ('restore', '5 hours', true), ('verify', '4 hours', true),
      ('verify', '3 hours', false), ('restore', '2 hours', null)) runs (kind, ago, ok)`);
  pass(60);
  assert.equal(await ageOf('backup'), HOUR + 60);
  assert.equal(await ageOf('restore_test'), 4 * HOUR + 60);
});

test('a disk that fills up is told while writes are refused', async () => {
  pass(10);
  assert.equal(await measure(app, 'carepost_refusing_writes'), 0);
  freeBytes = 1;
  await eventually(async () => {
    pass(3);
    return (await measure(app, 'carepost_refusing_writes')) === 1;
  });
  freeBytes = Number.MAX_SAFE_INTEGER;
  await eventually(async () => {
    pass(3);
    return (await measure(app, 'carepost_refusing_writes')) === 0;
  });
});

test('connections to the database are told, and whoever waits for one', async () => {
  const { db } = app.installation;
  const { most } = db.load();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const first = db.untenanted(async () => {
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  const load = (state: string) => measure(app, 'carepost_pool_connections', { pool: 'app', state });
  assert.equal(await load('most'), most);
  assert.ok(((await load('in_use')) ?? 0) >= 1);
  const others = Array.from({ length: most + 2 }, () => db.untenanted(() => held.promise));
  await eventually(async () => ((await measure(app, 'carepost_pool_waiting', { pool: 'app' })) ?? 0) >= 2);
  held.resolve();
  await Promise.all([first, ...others]);
});

test('what goes wrong with files is counted by what was asked of the store', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const body = { form_data: {}, attachments: [{ name: 'a.txt', content: base64('bytes') }] };
  const id = await submitted(app, formId, body);
  const reply = await app.request('GET', `/v1/forms/api/forms/${formId}/submissions/${id}`, { key: customer.key });
  const [{ id: fileId }] = reply.body.data.attachments;
  const folder = join(app.installation.config.dataDir, 'blobs');
  rmSync(folder, { recursive: true });
  await grows(app, ['carepost_blob_errors_total', { operation: 'missing' }, 1], () =>
    app.request('GET', `/v1/forms/api/forms/${formId}/submissions/${id}/attachments/${fileId}`, { key: customer.key }),
  );
  writeFileSync(folder, 'in the way');
  await grows(app, ['carepost_blob_errors_total', { operation: 'write' }, 1], () => submit(app, formId, body));
  rmSync(folder);
});

test('a database that is away is told at once, and what cannot be seen has no line', async () => {
  assert.equal(await measure(app, 'carepost_database_up'), 1);
  const url = new URL(app.installation.ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const asAdmin = (text: string) => withConnection(url.href, (client) => client.query(text));
  await asAdmin(`alter database ${name} with allow_connections false`);
  await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  pass(10);
  assert.equal(await measure(app, 'carepost_database_up'), 0);
  for (const gone of ['carepost_queue_waiting', 'carepost_audit_seal_lag_seconds', 'carepost_destination_waiting'])
    assert.equal(await measure(app, gone), null);
  assert.ok(((await measure(app, 'carepost_disk_free_bytes')) ?? 0) > 0, 'the rest is still told');
  await asAdmin(`alter database ${name} with allow_connections true`);
  pass(10);
  assert.equal(await measure(app, 'carepost_database_up'), 1);
  assert.notEqual(await measure(app, 'carepost_queue_waiting'), null);
});

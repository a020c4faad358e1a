import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import {
  createSealer,
  type Held,
  loadSigningKey,
  overrideAuditRetention,
  recordAct,
  releaseHold,
  setHold,
  verifyAudit,
} from '../../src/accounts/index.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { dropEmptyMonths } from '../../src/operations/retention/drop-months.ts';
import { removeWhatIsOver } from '../../src/operations/retention/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { requireOwn } from '../../src/platform/http/ownership.ts';
import { firstIdAt } from '../../src/platform/ids.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner, createOwner } from '../support/owner.ts';
import { signIn } from '../support/people-session.ts';

const DAY = 24 * 3600_000;

let app: TestApp;
let worker: Database;
let sealerDb: Database;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  worker = openDatabase(app.installation, 'worker', 1);
  sealerDb = openDatabase(app.installation, 'sealer', 1);
  (t as TestContext).after(async () => {
    await worker.close();
    await sealerDb.close();
  });
});

const at = (text: string) => ({ now: () => new Date(text) });
const inDays = (days: number) => createMovableClock(new Date(Date.now() + days * DAY));
const none = (of: string[]) => Object.fromEntries(of.map((table) => [table, 0]));

async function keepTo(clock: Clock): Promise<void> {
  const { ownerUrl, config } = app.installation;
  const signingKey = await loadSigningKey(app.installation);
  await removeWhatIsOver({ ownerUrl, db: worker, clock, signingKey, operator: config.retention });
}

async function verify() {
  const signingKey = await loadSigningKey(app.installation);
  const checkpointFile = checkpointFileOf(app.installation.config.dataDir);
  return verifyAudit({ db: sealerDb, signingKey, checkpointFile });
}

const count = (table: string, customerId: number) =>
  asOwner(app, async (client) => {
    const { rows } = await client.query(`select count(*)::int as n from ${table} where customer_id = $1`, [customerId]);
    return rows[0].n as number;
  });

/** Writes so many acts at a moment, and has them sealed and signed. */
async function actAt(customer: TestCustomer, moment: Date, acts: number): Promise<void> {
  const { db, config } = app.installation;
  const clock = { now: () => moment };
  await db.tenant([customer.id], async (tx) => {
    for (let each = 0; each < acts; each += 1) await recordAct(tx, clock, app.act(customer.id, 'test.acted'), {});
  });
  const written = await count('audit_log', customer.id);
  const signingKey = await loadSigningKey(app.installation);
  const checkpointFile = checkpointFileOf(config.dataDir);
  const sealer = createSealer({ db: sealerDb, signingKey, checkpointFile, clock, metrics: createMetrics() });
  // The sealer waits for every older transaction of the server, those of other tests included.
  await eventually(async () => {
    await sealer.seal();
    return (await count('audit_chain', customer.id)) === written;
  });
  await sealer.checkpoint();
}

test('the audit log is kept for six years to the day, longer where it is held, and the rest still verifies', async () => {
  const customer = await app.createCustomer();
  await asOwner(app, async (client) => {
    // What setting up has written would be in the way, as it is of today.
    await client.query(`set session_replication_role = replica`);
    for (const table of ['audit_log', 'audit_chain', 'audit_heads', 'audit_signed_heads'])
      await client.query(`delete from ${table} where customer_id = $1`, [customer.id]);
  });
  const begun = new Date('2020-03-01T12:00:00Z');
  await actAt(customer, begun, 5);
  await actAt(customer, new Date('2024-01-01T00:00:00Z'), 3);

  await keepTo(at('2026-02-28T12:00:00Z'));
  assert.equal(await count('audit_log', customer.id), 8, 'five years and 364 days');
  const { db, vault } = app.installation;
  const keys = await vault.of(customer.id);
  const clock = { now: () => begun };
  const held: Held = { kind: 'person', email: 'a@example.com', indexes: [Buffer.from('a')] };
  const deps = { clock, keys, act: app.act(customer.id, 'hold.set'), requireOwn };
  const id = await db.tenant([customer.id], (tx) => setHold(tx, deps, held, 'A claim'));
  await keepTo(at('2026-03-02T12:00:00Z'));
  assert.equal(await count('audit_log', customer.id), 9, 'held');
  await db.tenant([customer.id], (tx) => releaseHold(tx, deps, id, 'Over'));
  await keepTo(at('2026-03-02T12:00:00Z'));
  const { rows: left } = await asOwner(app, (client) =>
    client.query('select seq::int from audit_chain where customer_id = $1 order by seq limit 1', [customer.id]),
  );
  assert.equal(left[0].seq, 6, 'six years and a day');
  const { rows } = await asOwner(app, (client) =>
    client.query(`select action from audit_log where customer_id = $1 and at < '2021-01-01' order by id`, [
      customer.id,
    ]),
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['hold.set', 'hold.set'],
    'what is not signed yet stays until it is',
  );
  assert.deepEqual((await verify()).faults, []);

  await asOwner(app, (client) =>
    client.query(`update audit_cuts set seq = seq + 1 where customer_id = $1`, [customer.id]),
  );
  const { faults } = await verify();
  assert.match(faults[0]?.reason ?? '', /beginning was cut off/, 'nobody else cuts');
  await asOwner(app, (client) =>
    client.query('update audit_cuts set seq = seq - 1 where customer_id = $1', [customer.id]),
  );
});

test('less than six years takes an override with a reason, and nobody removes rows in another way', async () => {
  const customer = await app.createCustomer();
  const { db, clock } = app.installation;
  const tx = <T>(work: Parameters<typeof db.tenant<T>>[1]) => db.tenant([customer.id], work);
  const override = (years: number, reason: string) =>
    tx((each) =>
      overrideAuditRetention(each, { clock, act: app.act(customer.id, 'retention.overridden') }, { years, reason }),
    );
  await assert.rejects(override(1, ' '), /reason/);
  await override(1, 'Asked for by counsel');
  const { rows } = await asOwner(app, (client) =>
    client.query(`select details from audit_log where customer_id = $1 and action = 'retention.overridden'`, [
      customer.id,
    ]),
  );
  assert.deepEqual(rows[0].details, { years: 1, reason: 'Asked for by counsel' });
  const remove = `select remove_audit(${customer.id}, 1, 6, now() + interval '7 years', '', '')`;
  const removeAs = (working: string) =>
    asOwner(app, async (client) => {
      await client.query(`select set_config('carepost.customers', $1, false)`, [working]);
      await client.query(remove);
    });
  await assert.rejects(removeAs(`{${customer.id}}`), /signed head/);
  await assert.rejects(removeAs(''), /worked on/);
  await assert.rejects(removeAs(`{${customer.id + 1}}`), /worked on/);
  const gone = `delete from audit_log where customer_id = ${customer.id}`;
  await assert.rejects(
    asOwner(app, (client) => client.query(gone)),
    /insert-only/,
  );
});

/** Has no event of a customer left to be told; an attempt under way would put its own back. */
async function settleWebhooks(customerId: number): Promise<void> {
  await eventually(() =>
    asOwner(app, async (client) => {
      const { rows } = await client.query(
        'select from webhook_attempts where customer_id = $1 and finished_at is null limit 1',
        [customerId],
      );
      if (rows.length > 0) return false;
      const { rowCount } = await client.query(
        'update webhook_deliveries set due_at = null where customer_id = $1 and due_at is not null',
        [customerId],
      );
      return rowCount === 0;
    }),
  );
}

test('what is over goes class by class, and what is held stays', async () => {
  const owner = await createOwner(app);
  await asOwner(app, async (client) => {
    // As after the sweeps of every hour, which have tests of their own.
    await client.query('delete from message_contents where customer_id = $1', [owner.id]);
    await client.query(`update message_recipients set due_at = null, state = 'delivered' where customer_id = $1`, [
      owner.id,
    ]);
    for (const table of ['imports', 'bulk_jobs', 'form_export_jobs'])
      await client.query(`update ${table} set blob_id = null where customer_id = $1`, [owner.id]);
    await client.query(
      `insert into legal_holds (id, customer_id, kind, sealed, set_by_kind, set_by, set_at)
       values (gen_random_uuid(), $1, 'customer', '', 'cli', 'test', now())`,
      [owner.id],
    );
  });
  await settleWebhooks(owner.id);
  const tables = ['messages', 'message_recipients', 'delivery_attempts', 'message_events', 'message_reports'];
  const soon = ['webhook_deliveries', 'webhook_attempts', 'bulk_jobs'];
  const counts = async (of: string[]) => {
    const found: Record<string, number> = {};
    for (const table of of) found[table] = await count(table, owner.id);
    return found;
  };

  const earlier = await counts([...tables, ...soon]);
  await keepTo(inDays(2_193));
  assert.deepEqual(await counts([...tables, ...soon]), earlier, 'held');
  await asOwner(app, (client) => client.query('update legal_holds set released_at = now(), release = sealed'));
  await keepTo(inDays(91));
  assert.deepEqual(await counts(soon), none(soon));
  assert.ok(Object.values(await counts(tables)).every((rows) => rows > 0));
  await keepTo(inDays(2_193));
  assert.deepEqual(await counts(tables), none(tables));
});

test('months in which nothing is left are dropped, and no others', async (t) => {
  const other = await startApp(t);
  const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 5));
  const name = `link_clicks_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  const { ownerUrl } = other.installation;
  const later = { now: () => new Date(month.getTime() + 90 * DAY) };
  const fill = `insert into link_clicks (message_id, link, customer_id, clicks)
    select $1, n, 1, 1 from generate_series(1, 500) n`;
  await asOwner(other, (client) => client.query(fill, [firstIdAt(month)]));
  const first = await dropEmptyMonths(ownerUrl, later);
  assert.ok(first.length > 20 && !first.includes(name), 'those that had a row stay');
  await asOwner(other, (client) => client.query('delete from link_clicks'));
  assert.deepEqual(await dropEmptyMonths(ownerUrl, later), [name]);
  await asOwner(other, (client) => client.query(fill, [firstIdAt(month)]));
});

test('a customer asks for less than the operator allows, for more of the audit log, and for no more than that', async (t) => {
  const other = await startApp(t);
  const customer = await other.createCustomer();
  const admin = await signIn(other, customer, 'admin');
  const set = (body: object) =>
    admin.request('PUT', '/app/api/retention', { body: { form_default_days: null, ...body } });
  const { body } = await set({ log_days: 400, audit_years: 10 });
  assert.deepEqual([body.log_days, body.audit_years, body.webhook_days], [400, 10, null]);
  assert.deepEqual((await set({ log_days: 2_193 })).body.fields, {
    log_days: ['takes 1 to 2192 days, as the operator has set'],
  });
  assert.deepEqual((await set({ audit_years: 5 })).body.fields, { audit_years: ['takes 6 to 100 years'] });
  assert.equal((await set({ log_days: null })).body.log_days, null);
  assert.equal((await admin.request('GET', '/app/api/retention')).body.audit_years, 10, 'what is not named stays');
});

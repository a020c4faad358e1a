import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import {
  createSealer,
  type Held,
  loadSigningKey,
  overrideAuditRetention,
  recordAct,
  recordAgreement,
  releaseHold,
  setHold,
  verifyAudit,
  verifyCustomerAudit,
} from '../../src/accounts/index.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { dropEmptyMonths } from '../../src/operations/retention/drop-months.ts';
import { removeWhatIsOver } from '../../src/operations/retention/index.ts';
import { RULES } from '../../src/operations/retention/rules.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { requireOwn } from '../../src/platform/http/ownership.ts';
import { firstIdAt } from '../../src/platform/ids.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { addMail, linkTo, oneClick, standing } from '../consent/mailing.ts';
import { addList, addMailing, addPerson, ask, sendIn, startSend } from '../mailings/mailing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addDrips } from '../support/drips.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner, createOwner } from '../support/owner.ts';
import { signIn } from '../support/people-session.ts';

const SECOND = 1_000;
const DAY = 24 * 3600_000;

let app: TestApp;
let worker: Database;
let sealerDb: Database;
before(async (t) => {
  app = await startApp(t as TestContext);
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

async function keepTo(clock: Clock, operator = app.installation.config.retention): Promise<void> {
  const { ownerUrl } = app.installation;
  const signingKey = await loadSigningKey(app.installation);
  await removeWhatIsOver({ ownerUrl, db: worker, clock, signingKey, operator });
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

/** Holds everything of a customer; answers how that ends. */
async function holdEverything(customerId: number): Promise<() => Promise<void>> {
  const { db, vault, clock } = app.installation;
  const deps = { clock, keys: await vault.of(customerId), act: app.act(customerId, 'hold.set'), requireOwn };
  const id = await db.tenant([customerId], (tx) => setHold(tx, deps, { kind: 'customer' }, 'A claim'));
  return () => db.tenant([customerId], (tx) => releaseHold(tx, deps, id, 'Over'));
}

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

const LONG_AGO = new Date('2020-03-01T12:00:00Z');

/** A customer whose log begins with five rows of long ago, and goes on with three that are not over by March of 2026. */
async function addAged(): Promise<TestCustomer> {
  const customer = await app.createCustomer();
  await asOwner(app, async (client) => {
    // What setting up has written would be in the way, as it is of today.
    await client.query(`set session_replication_role = replica`);
    for (const table of ['audit_log', 'audit_chain', 'audit_heads', 'audit_signed_heads'])
      await client.query(`delete from ${table} where customer_id = $1`, [customer.id]);
  });
  await actAt(customer, LONG_AGO, 5);
  await actAt(customer, new Date('2024-01-01T00:00:00Z'), 3);
  return customer;
}

test('the audit log is kept for six years to the day, longer where it is held, and the rest still verifies', async () => {
  const customer = await addAged();
  await keepTo(at('2026-02-28T12:00:00Z'));
  assert.equal(await count('audit_log', customer.id), 8, 'five years and 364 days');
  const { db, vault } = app.installation;
  const keys = await vault.of(customer.id);
  const clock = { now: () => LONG_AGO };
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

test('what is removed from the beginning of a log while it is verified is no fault, at whatever moment', async () => {
  const signingKey = await loadSigningKey(app.installation);
  const checkpointFile = checkpointFileOf(app.installation.config.dataDir);
  /** Verifies, and has the old rows removed before the transaction of that number. */
  const verifyRemovingAt = async (number: number) => {
    const { id } = await addAged();
    let transactions = 0;
    const db: Database = {
      ...sealerDb,
      async untenanted(work) {
        transactions += 1;
        if (transactions === number) await keepTo(at('2026-03-02T12:00:00Z'));
        return sealerDb.untenanted(work);
      },
    };
    const { faults } = await verifyCustomerAudit({ db, signingKey, checkpointFile }, id, async () => {});
    assert.deepEqual(faults, [], `removed before transaction ${number}`);
    const isRemoved = (await count('audit_cuts', id)) === 1;
    assert.equal(isRemoved, transactions >= number);
    return isRemoved;
  };
  for (let number = 1; await verifyRemovingAt(number); number += 1);
  await keepTo(at('2026-03-02T12:00:00Z')); // of the last, while the clock of the database still takes it
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
  await assert.rejects(override(1, 'x'.repeat(1_001)), /at most 1000/);
  await override(1, 'Asked for by counsel');
  const { rows } = await asOwner(app, (client) =>
    client.query(`select details from audit_log where customer_id = $1 and action = 'retention.overridden'`, [
      customer.id,
    ]),
  );
  assert.deepEqual(rows[0].details, { years: 1, reason: 'Asked for by counsel' });
  const remove = `select remove_audit(${customer.id}, 1, 6, now(), '', '')`;
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

test('whoever says that it is later cuts nothing off the audit log', async () => {
  const customer = await app.createCustomer();
  await actAt(customer, new Date(), 1);
  const written = await count('audit_log', customer.id);
  const cutAt = (moment: string) =>
    worker.tenant([customer.id], (tx) =>
      sql`select remove_audit(customer_id, seq, 6, ${moment}, '', '') from audit_signed_heads
        where customer_id = ${customer.id}`.execute(tx),
    );
  await assert.rejects(cutAt('2100-01-01'), /clock of the database/);
  await assert.rejects(cutAt('infinity'), /clock of the database/);
  await assert.rejects(cutAt(new Date(Date.now() + DAY / 2).toISOString()), /not old enough/);
  assert.equal(await count('audit_log', customer.id), written);
});

/** What is known of messages, beside what the rules name. */
const LOG = ['messages', 'message_recipients', 'delivery_attempts', 'message_events', 'message_reports'];
/** How long each class is kept: one after the other, so that none is taken for another. */
const DAYS: Record<string, number> = { short: 30, webhook: 40, work: 50, marketing: 60, log: 70 };
const LAST = 70;

/** For how many days rows of a table are kept, by the class that the documentation gives it. */
function daysOf(table: string): number {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'retention.md'), 'utf8');
  const line = page.split('\n').find((each) => each.startsWith('| `') && each.includes(`\`${table}\``));
  return DAYS[line?.split('|')[2]?.trim() ?? ''] as number;
}

/** A customer for whom everything is over that the rules are about, in an app that does nothing by itself any more. */
async function createFinished(t: TestContext): Promise<{ id: number; begun: Date; ended: Date }> {
  const begun = new Date(Date.now() - SECOND);
  const busy = await startApp(t, { beside: app, env: { CAREPOST_ROLES: 'http,worker' } });
  const { id } = await createOwner(busy);
  await busy.stop();
  const ended = new Date();
  const moment = `'${ended.toISOString()}'`;
  const changes = {
    // As after the sweeps of every hour, which have tests of their own.
    message_recipients: `due_at = null, state = 'delivered'`,
    bulk_jobs: 'blob_id = null',
    form_export_jobs: 'blob_id = null',
    webhook_deliveries: 'due_at = null',
    webhook_endpoints: `deleted_at = ${moment}`,
    dynamic_templates: `deleted_at = ${moment}`,
    mailing_recipients: `due_at = null, settled_at = ${moment}`,
    drip_enrolments: `due_at = null, state = 'exited', ended_at = ${moment}`,
    user_setup_links: `expires_at = ${moment}`,
  };
  await asOwner(app, async (client) => {
    for (const [table, set] of Object.entries(changes))
      await client.query(`update ${table} set ${set} where customer_id = $1`, [id]);
    for (const table of ['message_contents', 'subscriptions', 'subscribers'])
      await client.query(`delete from ${table} where customer_id = $1`, [id]);
  });
  return { id, begun, ended };
}

test('what is over goes class by class, and what is held stays', async (t) => {
  const { id, begun, ended } = await createFinished(t);
  const { retention } = app.installation.config;
  const counts = async (of: string[]) => {
    const found: Record<string, number> = {};
    for (const table of of) found[table] = await count(table, id);
    return found;
  };
  const operator = Object.fromEntries(Object.entries(DAYS).map(([name, days]) => [`${name}Days`, days]));
  const keepSince = (moment: Date, days: number, ms: number) =>
    keepTo({ now: () => new Date(moment.getTime() + days * DAY + ms) }, { ...retention, ...operator });

  const tables = [...RULES.map(({ table }) => table), ...LOG];
  const earlier = await counts(tables);
  assert.deepEqual(
    tables.filter((table) => earlier[table] === 0),
    [],
    'there is a row for every rule',
  );
  const release = await holdEverything(id);
  await keepSince(ended, LAST, SECOND);
  assert.deepEqual(await counts(tables), earlier, 'held');
  await release();

  const byDays = [...Map.groupBy(tables, daysOf)].toSorted(([one], [other]) => one - other);
  for (const [days, leaving] of byDays) {
    await keepSince(begun, days, -SECOND);
    assert.deepEqual(
      await counts(leaving),
      Object.fromEntries(leaving.map((table) => [table, earlier[table]])),
      `a moment before ${days} days`,
    );
    await keepSince(ended, days, SECOND);
    assert.deepEqual(await counts(leaving), none(leaving), `a moment after ${days} days`);
  }
});

test('attempts at the mails of mailings are kept as long as their ledger, and their evidence with them', async (t) => {
  const busy = await startApp(t, { beside: app, env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await busy.createCustomer();
  const listId = await addList(busy, customer, ['ann@example.com']);
  const send = await startSend(busy, customer, await addMailing(busy, customer), { subscription_list_id: listId });
  await sendIn(busy, customer, send, 'finished');
  await busy.stop();
  const { retention } = app.installation.config;
  const keep = (days: number) =>
    keepTo({ now: () => new Date(Date.now() + days * DAY) }, { ...retention, logDays: 40, marketingDays: 60 });
  const kept = () => Promise.all(['delivery_attempts', 'evidence_batches'].map((table) => count(table, customer.id)));
  await keep(50);
  assert.deepEqual(await kept(), [1, 1]);
  await keep(61);
  assert.deepEqual(await kept(), [0, 0]);
});

test('the way out of a mailing works for 60 days at least, however short its history is kept', async () => {
  const customer = await app.createCustomer();
  const listId = Number(await addList(app, customer, []));
  const subscriberId = await addPerson(app, customer, { email: 'ann@example.com' }, String(listId));
  const { mailId } = await addMail(app, customer, subscriberId, { subscription_list_id: listId });
  await asOwner(app, (client) =>
    client.query('update mailing_recipients set settled_at = now() where id = $1', [mailId]),
  );
  const link = await linkTo(app, 'mailing-unsubscribe', mailId);
  const keep = (days: number) => keepTo(inDays(days), { ...app.installation.config.retention, marketingDays: 1 });
  await keep(59);
  assert.equal((await oneClick(link)).status, 200);
  assert.equal(await standing(app, customer, subscriberId, listId), 'left');
  await keep(61);
  assert.equal((await oneClick(link)).status, 410);
});

interface Led {
  customer: TestCustomer;
  subscriberId: string;
  dripId: string;
}

/** Lets so many days pass where the history of marketing is kept for a hundred. */
const keep = (days: number) => keepTo(inDays(days), { ...app.installation.config.retention, marketingDays: 100 });

/** Somebody who has been through a drip that rests. */
async function createLed(): Promise<Led> {
  const customer = await app.createCustomer();
  const mailingId = await addMailing(app, customer);
  const subscriberId = await addPerson(app, customer, { email: 'ann@example.com' });
  const sendId = await startSend(app, customer, mailingId, { recipient_emails: ['ann@example.com'] });
  const { dripIds } = await addDrips(app, { ...customer, mark: 'Welcome' }, { mailingId, subscriberId, sendId });
  await asOwner(app, (client) =>
    client.query(`update drip_enrolments set state = 'completed', ended_at = now() where customer_id = $1`, [
      customer.id,
    ]),
  );
  return { customer, subscriberId, dripId: dripIds[0] };
}

test('a drip that goes on remembers whom it has led, until they are removed or it is completed', async () => {
  const ends = {
    removed: (led: Led) => ask(app, led.customer, 'DELETE', `/subscribers/${led.subscriberId}`),
    completed: (led: Led) => ask(app, led.customer, 'POST', `/drip_campaigns/${led.dripId}/complete`),
  };
  for (const [name, end] of Object.entries(ends)) {
    const led = await createLed();
    const kept = () => Promise.all(['drip_enrolments', 'drip_visits'].map((table) => count(table, led.customer.id)));
    await keep(101);
    assert.deepEqual(await kept(), [1, 1], `before they are ${name}`);
    await end(led);
    await keep(99);
    assert.deepEqual(await kept(), [1, 1], `${name}, but not for long`);
    await keep(101);
    assert.deepEqual(await kept(), [0, 0], name);
  }
});

test('proof of consent is kept from when somebody was removed, however long before they agreed', async () => {
  const customer = await app.createCustomer();
  const { key } = customer;
  const request = (method: string, path: string, body?: object) =>
    app.request(method, `/v1/marketing/subscribers${path}`, { key, ...(body && { body }) });
  const { body } = await request('POST', '', { subscriber: { email: 'ann@example.com' } });
  await asOwner(app, (client) =>
    client.query(
      `update consent_changes set id = time_ordered_id(now() - interval '200 days') where customer_id = $1`,
      [customer.id],
    ),
  );
  const agreed = await count('consent_changes', customer.id);
  await keep(0);
  assert.equal(await count('consent_changes', customer.id), agreed, 'as long as they are there');
  assert.equal((await request('DELETE', `/${body.data.id}`)).status, 200);
  await keep(99);
  assert.ok(agreed > 0 && (await count('consent_changes', customer.id)) === agreed + 1, 'with when they were removed');
  await keep(101);
  assert.equal(await count('consent_changes', customer.id), 0);
});

test('an agreement goes six years after its end, with what was signed, and stays while anything is held', async () => {
  const { id } = await app.createCustomer({ agreement: false });
  const signing = { version: '1', signer: 'Ann', signedOn: '2019-03-01', pdf: Buffer.from('%PDF-1.7') };
  for (const endsOn of ['2020-03-01', null])
    await recordAgreement(app.installation, app.act(id, 'agreement.recorded'), { ...signing, endsOn });
  const left = async () => [await count('agreements', id), await count('blobs', id)];
  await keepTo(at('2026-02-28T23:59:59Z'));
  assert.deepEqual(await left(), [2, 2], 'six years but a day');
  const release = await holdEverything(id);
  await keepTo(at('2026-03-02T00:00:01Z'));
  assert.deepEqual(await left(), [2, 2], 'held');
  await release();
  await keepTo(at('2026-03-02T00:00:01Z'));
  assert.deepEqual(await left(), [1, 1], 'six years and a day; one without an end stays');
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
  const short = (await set({ marketing_days: 20 })).body;
  assert.deepEqual(
    [short.marketing_days, short.mailing_days],
    [20, 60],
    'the way out of a mailing outlasts the choice',
  );
  assert.equal((await admin.request('GET', '/app/api/retention')).body.audit_years, 10, 'what is not named stays');
});

import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { readDestinations } from '../../src/operations/watch/destinations.ts';
import { readQueueStates } from '../../src/operations/watch/queues.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { messageTo, send } from '../support/mail.ts';

const HOUR = 3600;
const clock = createMovableClock();
let app: TestApp;
let workerDb: Database;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  workerDb = openDatabase(app.installation, 'worker', 1);
  (t as TestContext).after(() => workerDb.close());
});

/** Writes rows without what they belong to, some seconds due each, in this order. */
async function put(insert: string, ages: number[]): Promise<void> {
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const age of ages) await client.query(insert, [new Date(clock.now().getTime() - age * 1000)]);
  });
}

async function oldestOf(queue: string): Promise<number | undefined> {
  const states = await readQueueStates({ db: app.installation.db, workerDb, clock }, 2);
  const found = states.find((state) => state.queue === queue);
  assert.ok(found !== undefined && found.waiting <= 2);
  return found.oldestDueSeconds;
}

/** Somebody of every send in a state, who is held or not. */
const person = (state: string, leasedUntil: string) => `
  insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, due_at, leased_until)
  select gen_random_uuid(), 1, id, 1, gen_random_uuid(), 'x.example', 'queued', $1::timestamptz, ${leasedUntil}
  from campaign_mailing_sends where state = '${state}'`;
const SEND = `insert into campaign_mailing_sends (jid, customer_id, mailing_id, version, state, mode, sender_email, send_at,
  created_at, updated_at) select gen_random_uuid(), 1, 1, 1, state, 'live', 'a@x.example', $1, $1, $1
  from unnest('{sending,paused}'::text[]) state`;

test('of a mailing with more people than are counted the oldest is told, whoever is held or paused', async () => {
  await put(SEND, [9 * HOUR]);
  await put(person('sending', 'null'), [10, 20, 30, HOUR, 40]);
  await put(person('paused', 'null'), [8 * HOUR]);
  await put(person('sending', `$1 + interval '9 hours'`), [7 * HOUR]);
  assert.equal(await oldestOf('mailings'), HOUR);
});

test('of more webhooks than are counted the oldest is told, but for endpoints that are off', async () => {
  const endpoint = `insert into webhook_endpoints (public_id, customer_id, events, active, ordered, url_index, sealed,
    created_at, updated_at) select gen_random_uuid(), 1, '{}', active, false, decode(md5(n::text), 'hex'), '', $1, $1
    from unnest('{true,true,false}'::bool[]) with ordinality as o (active, n)`;
  await put(endpoint, [HOUR]);
  const delivery = `insert into webhook_deliveries (id, customer_id, endpoint_id, sequence, event_name, facts, state, due_at,
    created_at) select gen_random_uuid(), 1, id, 1, 'e', '{}', 'pending', $1, $1 from webhook_endpoints where `;
  await put(`${delivery} id = (select min(id) from webhook_endpoints)`, [10, 20, 30]);
  await put(`${delivery} active`, [40, 2 * HOUR, 50]);
  await put(`${delivery} not active`, [9 * HOUR]);
  assert.equal(await oldestOf('webhooks'), 2 * HOUR);
});

test('of more people in drips than are counted the oldest is told, but for drips that do not run', async () => {
  const drip = `insert into drip_campaigns (customer_id, name, subscription_list_id, start_trigger, reentry, time_zone,
    state, mode, version, created_at, updated_at) select 1, 'd', 1, 'manual', 'never', 'UTC', state, 'live', 1, $1, $1
    from unnest('{running,running,paused}'::text[]) state`;
  await put(drip, [HOUR]);
  const traveller = `insert into drip_enrolments (id, customer_id, drip_id, version, subscriber_id, rotation, state, step,
    entered_at, arrived_at, due_at) select gen_random_uuid(), 1, id, 1, gen_random_uuid(), 1, 'active', 's', $1, $1, $1
    from drip_campaigns where `;
  await put(`${traveller} state = 'running'`, [10, 20, 3 * HOUR, 30]);
  await put(`${traveller} state = 'paused'`, [9 * HOUR]);
  assert.equal(await oldestOf('drips'), 3 * HOUR);
});

/** Mail of a customer to some people at a domain. */
async function write(customer: TestCustomer, domain: string, people: number): Promise<void> {
  const recipients = Array.from({ length: people }, (_, n) => `p${n}@${domain}`);
  await send(app, customer.key, { ...messageTo('x@x'), recipients });
}

const asOwner = (text: string) => withConnection(app.installation.ownerUrl, (client) => client.query(text));

test("a flood of one customer hides neither another's old mail nor its own that was put off or stands aside", async () => {
  const [flooding, quiet] = [await app.createCustomer(), await app.createCustomer()];
  await write(flooding, 'later.example', 12);
  await asOwner(`update message_recipients set attempts = 1, due_at = due_at + interval '9 hours'`);
  await write(flooding, 'aside.example', 12);
  await write(quiet, 'aside.example', 12);
  await asOwner(`update message_recipients set parked = true, due_at = null where domain = 'aside.example'`);
  await write(flooding, 'flood.example', 60);
  clock.advance(HOUR * 1000);
  await write(quiet, 'quiet.example', 12);
  clock.advance(HOUR * 1000);
  await write(flooding, 'flood.example', 60);
  assert.equal(await oldestOf('messages'), 2 * HOUR);
  const found = await readDestinations({ workerDb, clock }, 40);
  const ages = Object.fromEntries(found.map(({ destination, oldestSeconds }) => [destination, oldestSeconds]));
  const told = { 'later.example': 2 * HOUR, 'aside.example': 2 * HOUR, 'flood.example': 2 * HOUR };
  assert.deepEqual(ages, { ...told, 'quiet.example': HOUR, other: 0 });
  const waiting = Object.fromEntries(found.map((each) => [each.destination, each.waiting]));
  assert.deepEqual(waiting, {
    'later.example': 12,
    'aside.example': 24,
    'flood.example': 20,
    'quiet.example': 12,
    other: 0,
  });
});

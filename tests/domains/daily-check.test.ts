import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import { addSend } from '../analytics/sent.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { messageTo } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { createFakeDns, publishAll } from './fake-dns.ts';

const DAY = 24 * 3600_000;

test('every domain of every customer is checked each day, and what is past is swept', async (t: TestContext) => {
  const clock = createMovableClock();
  const dns = createFakeDns();
  const app = await startApp(t, { clock, overrides: { domainDns: dns } });
  const { ownerUrl, log } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 4);
  t.after(() => db.close());
  const { 'domains.check': daily } = await createTestTasks(app.installation, db, dns);
  const check = async () => {
    clock.advance(DAY);
    await daily?.({});
  };
  const customers = await Promise.all([app.createCustomer(), app.createCustomer()]);
  const ids = await asOwner(app, (client) =>
    client.query(
      `insert into sending_domains (id, customer_id, domain, challenge, state, warm_up, created_at)
       select gen_random_uuid(), $1, n || '.many.example', 'x', 'pending', true, now() from generate_series(1, 45) n`,
      [customers[0]?.id],
    ),
  );
  assert.equal(ids.rowCount, 45);
  const [{ key } = { key: '' }] = customers.slice(1);
  const add = async (domain: string) =>
    (await app.request('POST', '/v1/email/sending_domains', { key, body: { domain } })).body.data;
  const state = async (id: string) =>
    (await app.request('GET', `/v1/email/sending_domains/${id}`, { key })).body.data?.state;
  const [kept, leaving] = [await add('kept.example'), await add('leaving.example')];
  publishAll(dns, kept);
  publishAll(dns, leaving);
  await check();
  assert.deepEqual([await state(kept.id), await state(leaving.id)], ['verified', 'verified']);
  const unchecked = 'select count(*)::int from sending_domains where checked_at is null';
  const counted = (query: string) => asOwner(app, async (client) => (await client.query(query)).rows[0].count);
  assert.equal(await counted(unchecked), 0);

  const message = messageTo('ann@example.com', { headers: { from: 'clinic@ward.leaving.example', subject: 'x' } });
  const scheduled_at = new Date(clock.now().getTime() + 30 * DAY).toISOString();
  const schedule = { key, body: { data: { message, scheduled_at } } };
  const { sourceTrackingId: waiting } = (await app.request('POST', '/v1/email/schedule', schedule)).body;
  await app.request('DELETE', `/v1/email/sending_domains/${leaving.id}`, { key });
  dns.records.delete('TXT _carepost.kept.example');
  const keysLeft = `select count(*)::int from dkim_keys where domain = 'leaving.example'`;
  for (const expected of ['verified', 'verified', 'failing']) {
    await check();
    assert.equal(await state(kept.id), expected);
  }
  assert.equal(await counted(keysLeft), 2);
  for (let days = 0; days < 5; days++) await check();
  assert.equal(await counted(keysLeft), 2, 'a message from the domain waits for its time');
  const taken = await app.request('POST', `/v1/email/schedule/${waiting}/cancel`, { key });
  assert.equal(taken.status, 200, taken.text);
  const { mailingId } = await addSend(app, customers[1], [], { state: 'paused' });
  const sender = (email: string) =>
    asOwner(app, (client) =>
      client.query('update campaign_mailing_sends set sender_email = $2 where mailing_id = $1', [mailingId, email]),
    );
  await sender('clinic@leaving.example');
  await check();
  assert.equal(await counted(keysLeft), 2, 'so does a send');
  await sender('clinic@unleaving.example');
  await check();
  assert.equal(await counted(keysLeft), 0);
  assert.equal(await counted(`select count(*)::int from dkim_keys where domain = 'kept.example'`), 2);
  const acts = `select count(*)::int from audit_log where action = 'domain.checked' and actor_kind = 'worker'`;
  assert.equal(await counted(acts), 3, 'verified twice, failed once: checks that change nothing are no acts');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { listMailings, type MailingQuery } from '../../src/marketing/mailings/list.ts';
import { leasePeople } from '../../src/marketing/mailings/sending/lease.ts';
import type { Send } from '../../src/marketing/mailings/sending/send.ts';
import { settle } from '../../src/marketing/mailings/sending/settle.ts';
import { holdOurs } from '../../src/marketing/mailings/sending/write-settlements.ts';
import { startApp } from '../support/app.ts';
import { createWorker } from '../support/delivery.ts';
import { lookedAt } from '../support/looked-at.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addMailing, startSend } from './mailing.ts';

const ADD_PEOPLE = `
  insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, due_at)
  select time_ordered_id(now()), s.customer_id, s.id, s.mailing_id, gen_random_uuid(), 'example.com', 'queued', s.send_at
  from campaign_mailing_sends s cross join generate_series(1, 2000) where s.id = $1`;

const ADD_LISTS = `
  with lists as (
    insert into subscription_lists (customer_id, name, is_default, created_at, updated_at)
    select $1, 'List ' || n, false, now(), now() from generate_series(1, 400) n returning id)
  insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
  select gen_random_uuid(), $1, (select min(id) from lists), subscriber_id, now(), true
  from mailing_recipients where customer_id = $1`;

const ADD_MAILINGS = `
  with mailings as (
    insert into campaign_mailings (customer_id, subject, template_type, version, created_at, updated_at)
    select $1, 'Mailing ' || n, 'html', 1, now() + n * interval '1 second', now() from generate_series(1, 3000) n returning id),
  versions as (
    insert into mailing_versions (mailing_id, version, customer_id, html_part, created_at)
    select id, 1, $1, '<p>x</p>', now() from mailings),
  sends as (
    insert into campaign_mailing_sends (jid, customer_id, mailing_id, version, state, mode, sender_email, send_at, created_at, updated_at)
    select gen_random_uuid(), $1, id, 1, 'finished', 'live', 'a@example.org', now(), now(), now()
    from mailings cross join generate_series(1, 2) returning id, mailing_id)
  insert into send_counts (send_id, customer_id, people, delivered) select id, $1, 900, mailing_id from sends`;

const MOMENT = { startedAt: new Date(), finishedAt: new Date() };

test('a batch of a send is found without a look at the others, also where nothing is known of the table', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, []);
  const mailingId = await addMailing(app, customer);
  const id = await startSend(app, customer, mailingId, { subscription_list_id: listId });
  const send = await asOwner(app, async (client) => {
    await client.query(ADD_PEOPLE, [id]);
    const { rows } = await client.query('select * from campaign_mailing_sends where id = $1', [id]);
    return rows[0] as Send;
  });
  const keys = await worker.vault.of(customer.id);
  const looked = await worker.db.tenant([customer.id], async (tx) => {
    const people = await leasePeople(tx, worker.clock, send, 4);
    assert.equal(people.length, 4);
    const handed = { result: 'delivered', code: 250, reply: '250 fine', ...MOMENT, met: null } as const;
    const settlements = people.map((person) => ({ person, handed, keptAs: null }));
    assert.equal((await holdOurs(tx, settlements)).length, 4);
    await settle(tx, { keys, clock: worker.clock }, send, settlements);
    return lookedAt((text) => tx.executeQuery(CompiledQuery.raw(text)));
  });
  assert.ok((looked.mailing_recipients ?? 0) <= 20, `${looked.mailing_recipients} rows`);
});

test('whether somebody is on any list is known without a look at the other lists', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const customer = await app.createCustomer();
  const mailingId = await addMailing(app, customer);
  const id = await startSend(app, customer, mailingId, { recipient_emails: ['ann@example.com'] });
  const send = await asOwner(app, async (client) => {
    await client.query(ADD_PEOPLE, [id]);
    await client.query(ADD_LISTS, [customer.id]);
    const { rows } = await client.query('select * from campaign_mailing_sends where id = $1', [id]);
    return rows[0] as Send;
  });
  const looked = await worker.db.tenant([customer.id], async (tx) => {
    const people = await leasePeople(tx, worker.clock, send, 4);
    assert.deepEqual(
      people.map(({ subscribed }) => subscribed),
      [true, true, true, true],
    );
    return lookedAt((text) => tx.executeQuery(CompiledQuery.raw(text)));
  });
  assert.ok((looked.subscription_lists ?? 0) <= 4, `${looked.subscription_lists} lists`);
  assert.ok((looked.subscriptions ?? 0) <= 4, `${looked.subscriptions} subscriptions`);
});

test('a page of mailings is read with what became of them, and of the others no more than puts them in order', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const { id: customerId } = await app.createCustomer();
  await asOwner(app, async (client) => {
    await client.query(ADD_MAILINGS, [customerId]);
    await client.query('analyze campaign_mailings, mailing_versions, campaign_mailing_sends, send_counts');
  });
  const page = { page: 2, items: 3 };
  const query: MailingQuery = { fits: null, templateType: null, orderBy: 'created_at', order: 'desc', page };
  const list = (change: Partial<MailingQuery>) =>
    worker.db.tenant([customerId], async (tx) => {
      const before = await lookedAt((text) => tx.executeQuery(CompiledQuery.raw(text)));
      const { mailings, total } = await listMailings(tx, customerId, { ...query, ...change });
      const after = await lookedAt((text) => tx.executeQuery(CompiledQuery.raw(text)));
      const looked = (table: string) => (after[table] ?? 0) - (before[table] ?? 0);
      return { mailings, total, subjects: mailings.map(({ subject }) => subject), looked };
    });
  const second = await list({});
  assert.deepEqual([second.subjects, second.total], [['Mailing 2997', 'Mailing 2996', 'Mailing 2995'], 3_000]);
  for (const { id, sent, delivered, latest_send: latest } of second.mailings) {
    assert.deepEqual([sent, delivered], [2 * id, 2 * id]);
    assert.equal(latest?.state, 'finished');
  }
  for (const table of ['mailing_versions', 'campaign_mailing_sends', 'send_counts']) {
    assert.ok(second.looked(table) <= 30, `${second.looked(table)} rows of ${table}`);
  }
  const fitting = await list({
    fits: (subject) => subject.endsWith('9') && subject.length < 11,
    orderBy: 'delivered',
    order: 'asc',
  });
  assert.deepEqual([fitting.subjects, fitting.total], [['Mailing 39', 'Mailing 49', 'Mailing 59'], 10]);
  assert.ok(fitting.looked('mailing_versions') <= 10, String(fitting.looked('mailing_versions')));
  const everything = await list({ page: null, orderBy: 'subject', order: 'asc' });
  assert.deepEqual(
    [everything.subjects.length, everything.subjects[1], everything.total],
    [3_000, 'Mailing 10', 3_000],
  );
});

import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, sandboxCopy, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { createHook, startReceiver } from '../support/webhook-receiver.ts';

const EVENTS = '/v1/email/events';
const DELIVERED = 'api_mail_log_delivered';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

interface Event {
  event_name: string;
  payload: { id: number; source_tracking_id: string; to: string };
}

async function read(key: string, query = ''): Promise<{ data: Event[]; next: number }> {
  const { status, body, text } = await app.request('GET', EVENTS + query, { key });
  assert.equal(status, 200, text);
  return body;
}

/** Reads on from a number, page by page, until there is no more. */
async function readAll(key: string, { after = 0, limit }: { after?: number; limit: number }): Promise<Event[]> {
  const { data, next } = await read(key, `?after=${after}&limit=${limit}`);
  assert.ok(data.length <= limit);
  assert.ok(data.every(({ payload }) => payload.id > after));
  return data.length === 0 ? [] : [...data, ...(await readAll(key, { after: next, limit }))];
}

function count(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

function numbersOf(events: Event[]): number[] {
  return events.map(({ payload }) => payload.id);
}

/** Sends messages at the same time and waits for the event of each. */
async function sendMany(key: string, length: number): Promise<string[]> {
  const already = (await readAll(key, { limit: 1000 })).length;
  const ids = await Promise.all(count(length).map((each) => send(app, key, messageTo(`r${each}@example.com`))));
  await eventually(async () => (await readAll(key, { limit: 1000 })).length >= already + length);
  return ids;
}

test('events are numbered from 1 without gaps, for each customer alone', async () => {
  const [one, other, none] = [await app.createCustomer(), await app.createCustomer(), await app.createCustomer()];
  const [ids, otherIds] = await Promise.all([sendMany(one.key, 20), sendMany(other.key, 7)]);
  for (const [{ key }, sent] of [
    [one, ids],
    [other, otherIds],
  ] as const) {
    const { data, next } = await read(key);
    assert.deepEqual(numbersOf(data), count(sent.length));
    assert.equal(next, sent.length);
    assert.deepEqual(data.map(({ payload }) => payload.source_tracking_id).toSorted(), sent.toSorted());
    assert.ok(data.every(({ event_name: name }) => name === DELIVERED));
  }
  assert.deepEqual(await read(none.key), { data: [], next: 0 });
});

test('pages of any size give every event once', async () => {
  const { key } = await app.createCustomer();
  await sendMany(key, 11);
  for (const limit of [1, 2, 3, 11, 12, 1000]) {
    assert.deepEqual(numbersOf(await readAll(key, { limit })), count(11), `limit ${limit}`);
  }
  assert.deepEqual(numbersOf(await readAll(key, { after: 4, limit: 2 })), count(11).slice(4));
  assert.deepEqual(await read(key, '?after=11'), { data: [], next: 11 });
  assert.deepEqual(await read(key, '?after=999'), { data: [], next: 999 }, 'a number that is still to come');
  for (const query of ['', '?after=', '?limit=', '?after=0&limit=0', '?limit=5000']) {
    const { data } = await read(key, query);
    assert.deepEqual(numbersOf(data), count(query === '?after=0&limit=0' ? 1 : 11), query);
  }
  for (const query of ['?after=-1', '?after=x', '?limit=1.5', '?after=9999999999999999']) {
    assert.equal((await app.request('GET', EVENTS + query, { key })).status, 400, query);
  }
});

test('a page holds 100 unless told otherwise', async () => {
  const { key } = await app.createCustomer();
  await sendMany(key, 105);
  const { data, next } = await read(key);
  assert.deepEqual([data.length, next], [100, 100]);
  assert.deepEqual(numbersOf((await read(key, `?after=${next}`)).data), [101, 102, 103, 104, 105]);
});

test('a reader that goes on from where it was misses nothing, however many write', async (t) => {
  const node = await startApp(t, { beside: app, env: { CAREPOST_ROLES: 'http,worker' } });
  const { key } = await app.createCustomer();
  const total = 120;
  const writers = [app, node].map(async (each, writer) => {
    for (let batch = 0; batch < 6; batch += 1) {
      await Promise.all(count(10).map((n) => send(each, key, messageTo(`w${writer}b${batch}n${n}@example.com`))));
    }
  });
  const readers = [1, 7, 1000].map(async (limit) => {
    const seen: Event[] = [];
    let after = 0;
    await eventually(async () => {
      const page = await read(key, `?after=${after}&limit=${limit}`);
      seen.push(...page.data);
      assert.equal(page.next, page.data.at(-1)?.payload.id ?? after);
      after = page.next;
      return seen.length >= total;
    }, 60_000);
    return seen;
  });
  await Promise.all(writers);
  for (const seen of await Promise.all(readers)) {
    assert.deepEqual(numbersOf(seen), count(total));
    assert.equal(new Set(seen.map(({ payload }) => payload.to)).size, total);
  }
});

test('the cursor says what the webhook said, of every recipient and of openings', async (t) => {
  const { key } = await app.createCustomer();
  const receiver = await startReceiver(t);
  await createHook(app, key, { url: receiver.url, events: [DELIVERED, 'api_mail_log_opened'] });
  const headers = { from: 'Clinic <clinic@example.org>', subject: 'Grüße', 'X-Case': '1', 'Reply-To': 'a@example.org' };
  await send(app, key, messageTo('ann@example.com', { headers, cc: ['ben@example.com'], bcc: ['carl@example.com'] }));
  const id = await send(app, key, messageTo('dora@example.com', { headers, content: { 'text/html': '<p>x</p>' } }));
  const { html } = await sandboxCopy(app, key, id);
  await receiver.atLeast(4);
  const [picture] = /\/t\/[\w-]+/.exec(html) as RegExpExecArray;
  for (let times = 0; times < 2; times += 1) {
    await fetch(app.url + picture, { headers: { 'user-agent': 'Thunderbird' } });
  }
  await receiver.atLeast(5);
  const { data } = await read(key);
  const pushed = receiver.received.map(({ body: { sequence: _sequence, ...event } }) => event as Event);
  assert.deepEqual(
    pushed.toSorted((one, other) => one.payload.id - other.payload.id),
    data,
  );
  assert.deepEqual(
    data.map(({ event_name: name, payload }) => `${name} ${payload.to}`).toSorted(),
    [
      ...['ann', 'ben', 'carl', 'dora'].map((name) => `${DELIVERED} ${name}@example.com`),
      'api_mail_log_opened dora@example.com',
    ].toSorted(),
  );
});

test('reading events is for keys with the scope, and is in the audit log', async () => {
  const customer = await app.createCustomer();
  const { key } = await app.createKey(customer, ['forms', 'marketing']);
  assert.equal((await app.request('GET', EVENTS, { key })).status, 401);
  assert.equal((await app.request('GET', EVENTS)).status, 401);
  for (const base of ['/v1', `/v1/${customer.username}`, `/emailapi/v1/${customer.username}`]) {
    assert.equal((await app.request('GET', `${base}/events`, { key: customer.key })).status, 200, base);
  }
  const { rows } = await asOwner(app, (client) =>
    client.query(`select details from audit_log where customer_id = $1 and action = 'events.read'`, [customer.id]),
  );
  assert.deepEqual(
    rows,
    Array.from({ length: 3 }, () => ({ details: { after: 0, events: 0, messages: [] } })),
  );
});

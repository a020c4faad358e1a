import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { untilServed } from '../support/until-served.ts';

const DAY = 24 * 3600_000;

const clock = createMovableClock();
let app: TestApp;
let nodes: TestApp[];
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  nodes = [app, await startApp(t as TestContext, { clock, beside: app })];
});

interface Operation {
  path: string;
  /** Another address of the same operation. */
  alias: string;
  /** A body of its own for each text, which comes back in the reply. */
  body(text: string): unknown;
  /** A body that the handler refuses, with its status. */
  refused: { body(text: string): unknown; status: number };
  /** The audit entry that every effect leaves. */
  action: string;
  table: string;
  /** What the customer has too many times where a request was carried out twice. */
  effects: string;
}

const OPERATIONS: Operation[] = [
  {
    path: '/v1/email/messages',
    alias: '/v1/messages',
    body: (text) => ({ data: { message: messageWith(text) } }),
    refused: { body: (text) => ({ data: { message: messageWith(text), template_id: 'none' } }), status: 404 },
    action: 'message.accepted',
    table: 'message_contents',
    effects: 'select id from messages where customer_id = $1',
  },
  {
    path: '/v1/email/bulk_messages',
    alias: '/v1/bulk_messages',
    body: (text) => ({ data: { messages: [messageWith(text)] } }),
    refused: { body: (text) => ({ data: { messages: [{ ...messageWith(text), template_id: 'none' }] } }), status: 400 },
    action: 'message.accepted',
    table: 'message_contents',
    effects: 'select id from messages where customer_id = $1',
  },
  {
    path: '/v1/marketing/subscribers',
    alias: '/marketing/subscribers',
    body: (text) => ({ subscriber: { email: `${text}@example.com`, first_name: text } }),
    refused: {
      body: (text) => ({ subscriber: { email: `${text}@example.com` }, subscription_list_id: 999_999 }),
      status: 404,
    },
    action: 'subscriber.saved',
    table: 'subscribers',
    effects: 'select id from subscribers where customer_id = $1',
  },
];

/** What can be made but once, or whose reply repeats nothing. */
const CREATIONS: Pick<Operation, 'path' | 'body' | 'refused' | 'effects'>[] = [
  {
    path: '/v1/email/schedule',
    body: (text) => ({ data: { message: messageWith(text), scheduled_at: inAnHour() } }),
    refused: {
      body: (text) => ({ data: { message: messageWith(text), scheduled_at: '2020-01-01T00:00:00Z' } }),
      status: 422,
    },
    effects: 'select message_id from scheduled_messages where customer_id = $1',
  },
  {
    path: '/v1/email/dynamic_templates',
    body: (name) => ({ name, body: 'Hello' }),
    refused: { body: (name) => ({ name, body: '{{#if' }), status: 400 },
    effects: 'select id from dynamic_templates where customer_id = $1',
  },
  ...['/v1/email/webhook_endpoints', '/v1/webhooks/endpoints'].map((path) => ({
    path,
    body: (text: string) => ({ target_url: `http://127.0.0.1:9/${text}`, events: ['api_mail_log_delivered'] }),
    refused: { body: (text: string) => ({ target_url: 'http://127.0.0.1:9/', events: [text] }), status: 422 },
    effects: 'select id from webhook_endpoints where customer_id = $1',
  })),
];

function inAnHour(): string {
  return new Date(clock.now().getTime() + 3600_000).toISOString();
}

function messageWith(text: string) {
  return {
    recipients: ['patient@example.com'],
    headers: { from: 'clinic@example.org', subject: 'Results', 'X-Text': text },
    content: { 'text/plain': text },
  };
}

function post({ key }: Pick<TestCustomer, 'key'>, path: string, once: string, body: unknown, node = app) {
  return node.request('POST', path, { key, headers: { 'idempotency-key': once }, body });
}

function asOwner<T>(work: (client: Client) => Promise<T>): Promise<T> {
  return withConnection(app.installation.ownerUrl, work);
}

/** How often an operation took effect for a customer, by its audit entries and by its rows. */
async function effects({ id }: TestCustomer, { action, effects: rows }: Operation) {
  return asOwner(async (client) => {
    const acts = await client.query('select from audit_log where customer_id = $1 and action = $2', [id, action]);
    return { acts: acts.rowCount, rows: (await client.query(rows, [id])).rowCount };
  });
}

const wasReplayed = (reply: Reply) => reply.headers.get('idempotency-replayed') === 'true';

function assertFirst(reply: Reply, status = 200): void {
  assert.equal(reply.status, status);
  assert.equal(reply.headers.get('idempotency-replayed'), null);
}

function assertReplay(reply: Reply, first: Reply): void {
  assert.equal(reply.status, first.status);
  assert.equal(reply.headers.get('idempotency-replayed'), 'true');
  assert.equal(reply.headers.get('content-type'), first.headers.get('content-type'));
  assert.equal(reply.text, first.text);
}

for (const operation of OPERATIONS) {
  const { path } = operation;

  test(`POST ${path} with the same key and body answers the first reply again`, async () => {
    const customer = await app.createCustomer();
    const first = await post(customer, path, 'order-1', operation.body('one'));
    assertFirst(first);
    assertReplay(await post(customer, path, 'order-1', operation.body('one')), first);
    assertReplay(await post(customer, operation.alias, 'order-1', operation.body('one')), first);
    const second = await app.createKey(customer, ['email', 'marketing']);
    assertReplay(await post(second, path, 'order-1', operation.body('one')), first);
    assert.deepEqual(await effects(customer, operation), { acts: 1, rows: 1 });
  });

  test(`POST ${path} with the same key and another body is a conflict`, async () => {
    const customer = await app.createCustomer();
    const first = await post(customer, path, 'order-1', operation.body('one'));
    const other = await post(customer, path, 'order-1', operation.body('two'));
    assert.equal(other.status, 409);
    assert.match(other.text, /Idempotency key used with another request/);
    assert.equal(wasReplayed(other), false);
    assertReplay(await post(customer, path, 'order-1', operation.body('one')), first);
    assertFirst(await post(customer, path, 'order-2', operation.body('two')));
    assert.deepEqual(await effects(customer, operation), { acts: 2, rows: 2 });
  });

  test(`POST ${path} without a key, or with other keys, is carried out each time`, async () => {
    const customer = await app.createCustomer();
    const { key } = customer;
    for (let times = 0; times < 2; times += 1) {
      assertFirst(await app.request('POST', path, { key, body: operation.body('one') }));
    }
    for (const once of ['order-1', 'ORDER-1', 'order-1.']) {
      assertFirst(await post(customer, path, once, operation.body('one')));
    }
    assert.equal((await effects(customer, operation)).acts, 5);
  });

  test(`POST ${path} keeps its refusals, but no failure of the server`, async () => {
    const customer = await app.createCustomer();
    const { body, status } = operation.refused;
    const first = await post(customer, path, 'refused', body('one'));
    assertFirst(first, status);
    assertReplay(await post(customer, path, 'refused', body('one')), first);
    assert.equal((await post(customer, path, 'refused', operation.body('one'))).status, 409);

    await asOwner((client) =>
      client.query(`create or replace function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
        create trigger fail before insert on ${operation.table} for each row execute function fail()`),
    );
    const broken = await post(customer, path, 'broken', operation.body('one'));
    assertFirst(broken, 500);
    await asOwner((client) => client.query(`drop trigger fail on ${operation.table}`));
    const mended = await post(customer, path, 'broken', operation.body('one'));
    assertFirst(mended);
    assertReplay(await post(customer, path, 'broken', operation.body('one')), mended);
    assert.deepEqual(await effects(customer, operation), { acts: 1, rows: 1 });
  });

  test(`POST ${path} is carried out anew once a key is a day old`, async () => {
    const customer = await app.createCustomer();
    const ask = (text: string) => post(customer, path, 'order-1', operation.body(text));
    const first = await ask('one');
    clock.advance(DAY);
    assertReplay(await ask('one'), first);
    clock.advance(1);
    const anew = await ask('two');
    assertFirst(anew);
    assert.notEqual(anew.text, first.text);
    assertReplay(await ask('two'), anew);
    assert.equal((await ask('one')).status, 409, 'the new request took the key over');
    assert.deepEqual(await effects(customer, operation), { acts: 2, rows: 2 });
  });

  test(`POST ${path} takes keys of 1 to 255 characters`, async () => {
    const customer = await app.createCustomer();
    for (const length of [1, 255]) {
      const once = 'k'.repeat(length);
      const first = await post(customer, path, once, operation.body(`length-${length}`));
      assertFirst(first);
      assertReplay(await post(customer, path, once, operation.body(`length-${length}`)), first);
    }
    for (const once of ['', 'k'.repeat(256)]) {
      const refused = await post(customer, path, once, operation.body('one'));
      assertFirst(refused, 400);
      assert.match(refused.text, /Idempotency-Key: takes 1 to 255 characters/);
    }
    assert.deepEqual(await effects(customer, operation), { acts: 2, rows: 2 });
  });

  test(`POST ${path} sent eight times at once to two nodes takes effect once, for each of fifty keys`, async () => {
    const customer = await app.createCustomer();
    const storm = Array.from({ length: 50 }, async (_, number) => {
      const once = randomUUID();
      const body = operation.body(`storm-${number}`);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (__, index) => untilServed(() => post(customer, path, once, body, nodes[index % 2]))),
      );
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1, 'all get the same reply');
      assert.equal(replies.filter((reply) => !wasReplayed(reply)).length, 1, 'one is told that it was first');
    });
    await Promise.all(storm);
    assert.deepEqual(await effects(customer, operation), { acts: 50, rows: 50 });
  });

  test(`POST ${path} leaves its reply sealed, and neither key nor body to be read`, async () => {
    const customer = await app.createCustomer();
    const [marker, once] = [`marker-${randomUUID()}`, `key-${randomUUID()}`];
    const first = await post(customer, path, once, operation.body(marker));
    assert.ok(first.text.includes(marker), 'the reply holds what must not be found at rest');
    await post(customer, path, `${once}-refused`, operation.refused.body(marker));
    const { rows } = await asOwner((client) =>
      client.query(
        `select i.*, encode(reply, 'escape') || encode(key_hash, 'escape') ||
           encode(request_hash, 'escape') || i::text as text
         from idempotency_keys i where customer_id = $1 order by status`,
        [customer.id],
      ),
    );
    assert.deepEqual(
      rows.map(({ status }) => status),
      [200, operation.refused.status],
    );
    for (const { text } of rows) {
      assert.ok(!text.includes(marker));
      assert.ok(!text.includes(once));
      assert.ok(!text.includes('Service OK') && !text.includes('attributes') && !text.includes('not_found'));
    }
    assertReplay(await post(customer, path, once, operation.body(marker)), first);
  });
}

for (const { path, body, refused, effects: rows } of CREATIONS) {
  test(`POST ${path} with the same key is done once and answers the first reply again`, async () => {
    const customer = await app.createCustomer();
    const count = () => asOwner(async (client) => (await client.query(rows, [customer.id])).rowCount);
    const one = body('one');
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(customer, path, 'order-1', one, nodes[index % 2])),
    );
    const firsts = replies.filter((reply) => !wasReplayed(reply));
    assert.equal(firsts.length, 1, firsts.map(({ text }) => text).join());
    const first = replies.find((reply) => !wasReplayed(reply)) as Reply;
    assert.ok(first.status < 300, first.text);
    for (const reply of replies.filter(wasReplayed)) assertReplay(reply, first);
    assert.equal((await post(customer, path, 'order-1', body('two'))).status, 409);
    const refusal = await post(customer, path, 'order-2', refused.body('one'));
    assertFirst(refusal, refused.status);
    assertReplay(await post(customer, path, 'order-2', refused.body('one')), refusal);
    assert.equal(await count(), 1);
    assertFirst(await post(customer, path, 'order-3', body('two')), first.status);
    assert.equal(await count(), 2);
  });
}

test('a key belongs to one customer and one operation', async () => {
  const customers = [await app.createCustomer(), await app.createCustomer()];
  for (const customer of customers) {
    for (const operation of OPERATIONS) {
      assertFirst(await post(customer, operation.path, 'order-1', operation.body('one')));
    }
  }
  for (const customer of customers) {
    for (const operation of OPERATIONS) {
      const times = OPERATIONS.filter(({ action }) => action === operation.action).length;
      assert.deepEqual(await effects(customer, operation), { acts: times, rows: times });
    }
  }
});

test('a refusal is replayed even where the request would be accepted by now', async () => {
  const customer = await app.createCustomer();
  const path = '/v1/marketing/subscribers';
  const body = { subscriber: { email: 'ann@example.com' }, subscription_list_id: '4711' };
  const first = await post(customer, path, 'order-1', body);
  assertFirst(first, 404);
  await asOwner((client) =>
    client.query(
      `insert into subscription_lists (id, customer_id, name, created_at, updated_at) overriding system value
       values (4711, $1, 'late', now(), now())`,
      [customer.id],
    ),
  );
  assertReplay(await post(customer, path, 'order-1', body), first);
  assertFirst(await post(customer, path, 'order-2', body));
});

test('a key that comes with two bodies at once serves one of them', async () => {
  for (const operation of OPERATIONS) {
    const customer = await app.createCustomer();
    const statuses = await Promise.all(
      nodes.map(async (node, number) => {
        const reply = await post(customer, operation.path, 'order-1', operation.body(`body-${number}`), node);
        return reply.status;
      }),
    );
    assert.deepEqual(new Set(statuses), new Set([200, 409]));
    assert.deepEqual(await effects(customer, operation), { acts: 1, rows: 1 });
  }
});

const NOWHERE = randomUUID();
const title = (text: string) => ({ title: text, form_json: { body: [] } });

/** A body that no handler comes to see, and one that it answers. */
const SHAPES = [
  { path: '/v1/forms/api/forms', broken: { title: 't' }, body: (id: number) => ({ ...title('t'), customer_id: id }) },
  { path: '/v1/forms/api/forms/copy', broken: { form_id: 1 }, body: () => ({ form_id: NOWHERE, title: 't' }) },
  ...[...OPERATIONS, ...CREATIONS].map(({ path, body }) => {
    const one = body('one');
    return { path, broken: {}, body: () => one };
  }),
];

for (const { path, broken, body } of SHAPES) {
  test(`POST ${path} keeps the refusal of a body that lacks what it must have`, async () => {
    const customer = await app.createCustomer();
    const first = await post(customer, path, 'order-1', broken);
    assertFirst(first, path.startsWith('/v1/webhooks') ? 422 : 400);
    for (const node of nodes) assertReplay(await post(customer, path, 'order-1', broken, node), first);
    assert.equal((await post(customer, path, 'order-1', body(customer.id))).status, 409);

    const kept = await post(customer, path, 'order-2', body(customer.id));
    assert.equal((await post(customer, path, 'order-2', broken)).status, 409);
    assertReplay(await post(customer, path, 'order-2', body(customer.id)), kept);
  });
}

test('a body that is left out, or that no key was sent with, is refused as ever', async () => {
  const { key } = await app.createCustomer();
  for (const { path, broken } of SHAPES) {
    for (const asked of [{ headers: { 'idempotency-key': 'none' } }, { body: broken }, { body: broken }]) {
      const reply = await app.request('POST', path, { key, ...asked });
      assertFirst(reply, path.startsWith('/v1/webhooks') ? 422 : 400);
    }
  }
});

test('what is refused before the body is looked at is not kept', async () => {
  const customer = await app.createCustomer();
  const narrow = await app.createKey(customer, ['email']);
  const path = '/v1/forms/api/forms';
  assertFirst(await post(narrow, path, 'order-1', { title: 't' }), 401);
  assertFirst(await post(customer, path, 'order-1', { ...title('t'), customer_id: customer.id }));
});

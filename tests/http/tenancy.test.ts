import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { createUser, recordAgreement } from '../../src/accounts/index.ts';
import type { Overrides } from '../../src/app.ts';
import { createForm } from '../../src/forms/index.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const CHECKS_OFF: Overrides = { requireOwn: async () => {}, mayList: () => true };

/** A customer with at least one row in every table, all of whose texts hold its mark. */
interface Owner extends TestCustomer {
  mark: string;
  recipient: string;
  formIds: string[];
  listId: number;
}

type Wanted = 403 | 404 | 'empty';

/** One place of an operation where an id can stand. */
interface Place {
  /** The name of the parameter or of the property in the body. */
  name: string;
  ask(app: TestApp, asker: TestCustomer, id: string): Promise<Reply>;
  /** Another customer's ids; none where nothing of the kind can be made yet. */
  foreign(owner: Owner): string[];
  whenForeign: Wanted;
  unknown: string[];
  whenUnknown: Wanted;
}

const subscriber = { email: 'stranger@example.net' };
const message = { recipients: ['someone@example.net'], headers: { from: 'clinic@example.net', subject: 'Hello' } };

/** The ids in the requests of every operation of the API. */
const ID_PLACES: Record<string, Place[]> = {
  sendMessage: [
    {
      name: 'template_id',
      ask: (app, { key }, id) =>
        app.request('POST', '/v1/email/messages', { key, body: { data: { message, template_id: id } } }),
      foreign: () => [],
      whenForeign: 403,
      unknown: ['999999', randomUUID(), 'no such name'],
      whenUnknown: 404,
    },
  ],
  readSandbox: [
    {
      name: 'to',
      ask: (app, { key }, to) => app.request('GET', `/v1/email/sandbox/messages?to=${encodeURIComponent(to)}`, { key }),
      foreign: ({ recipient }) => [recipient],
      whenForeign: 'empty',
      unknown: ['nobody@example.net'],
      whenUnknown: 'empty',
    },
  ],
  listForms: [
    {
      name: 'customer_id',
      ask: (app, { key }, id) => app.request('GET', `/v1/forms/api/forms?customer_id=${id}`, { key }),
      foreign: ({ id }) => [String(id), `0${id}`],
      whenForeign: 403,
      unknown: ['0', '2147483647'],
      whenUnknown: 403, // as where the customer exists, so that nobody can count the customers
    },
    {
      name: 'form_id',
      ask: (app, { key, id }, formId) =>
        app.request('GET', `/v1/forms/api/forms?customer_id=${id}&form_id=${formId}`, { key }),
      foreign: ({ formIds }) => formIds.flatMap((id) => [id, id.toUpperCase(), id.replaceAll('-', '')]),
      whenForeign: 403,
      unknown: [randomUUID(), 'malformed'],
      whenUnknown: 'empty',
    },
  ],
  createSubscriber: [
    {
      name: 'subscription_list_id',
      ask: (app, { key }, id) =>
        app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber, subscription_list_id: id } }),
      foreign: ({ listId }) => [String(listId)],
      whenForeign: 403,
      unknown: ['999999', '0', '-1', 'malformed', randomUUID()],
      whenUnknown: 404,
    },
  ],
  setUpUser: [],
};

/** Properties that are called ids and name no row of ours. */
const NOT_IDS = new Set(['contentId']);

const allPlaces = Object.values(ID_PLACES).flat();

/** What a schema has under names that end in id, however deep. */
function idsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const named = Object.keys((schema as { properties?: object }).properties ?? {});
  return [...named.filter(isIdName), ...Object.values(schema).flatMap(idsIn)];
}

function isIdName(name: string): boolean {
  return /(^|_)ids?$|Ids?$/.test(name) && !NOT_IDS.has(name);
}

function asOwner<T>(app: TestApp, work: (client: Client) => Promise<T>): Promise<T> {
  return withConnection(app.installation.ownerUrl, work);
}

interface TenantTable {
  name: string;
  /** The column that tells whose a row is. */
  column: string;
  /** The column that a row's partition follows from. */
  partitionedBy: string | null;
}

/** Every table with rows of customers. */
async function tenantTables(app: TestApp): Promise<TenantTable[]> {
  const { rows } = await asOwner(app, (client) =>
    client.query(`select c.oid::regclass::text as name, a.attname as column,
        substring(pg_get_partkeydef(c.oid) from '\\((\\w+)\\)') as "partitionedBy"
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and (a.attname = 'customer_id' or (c.relname = 'customers' and a.attname = 'id'))
      order by name`),
  );
  return rows;
}

/** All rows of a customer, by table. */
async function dump(app: TestApp, { id }: TestCustomer): Promise<Record<string, string>> {
  const tables = await tenantTables(app);
  return asOwner(app, async (client) => {
    const dumped: Record<string, string> = {};
    for (const { name, column } of tables) {
      const { rows } = await client.query(
        `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as rows from ${name} t where ${column} = $1`,
        [id],
      );
      dumped[name] = rows[0].rows;
    }
    return dumped;
  });
}

async function createOwner(app: TestApp): Promise<Owner> {
  const customer = await app.createCustomer({ agreement: false });
  const { id, key, username } = customer;
  const mark = `mark-of-${username}`;
  const recipient = `${mark}@example.com`;
  const { installation, act } = app;
  await createUser(installation, act(id, 'user.created'), { email: `${mark}@example.org`, role: 'reader' });
  const agreement = { version: mark, signer: mark, signedOn: '2020-01-01', endsOn: null, pdf: Buffer.from('%PDF-1.7') };
  await recordAgreement(installation, act(id, 'agreement.recorded'), agreement);
  const form = { title: mark, description: mark, formJson: { mark }, active: true };
  const formIds = [
    await createForm(installation, act(id, 'form.created'), form),
    await createForm(installation, act(id, 'form.created'), form),
  ];
  await app.request('POST', '/v1/marketing/subscribers', {
    key,
    headers: { 'idempotency-key': mark },
    body: { subscriber: { email: recipient, first_name: mark, custom_fields: [{ [mark]: mark }] } },
  });
  const sent = {
    recipients: [recipient],
    headers: { from: recipient, subject: mark },
    content: { 'text/plain': mark },
  };
  await app.request('POST', '/v1/email/messages', { key, body: { data: { message: sent } } });
  await eventually(async () => (await app.request('GET', '/v1/email/sandbox/messages', { key })).text.includes(mark));
  const listId = await asOwner(app, async (client) => {
    await client.query(`insert into key_destructions values ($1, now(), $2, 'none', null)`, [id, mark]);
    const { rows } = await client.query('select id from subscription_lists where customer_id = $1', [id]);
    return rows[0].id;
  });
  // The sealer waits for every older transaction of the server, those of other tests included.
  await eventually(() =>
    asOwner(
      app,
      async (client) => (await client.query('select from audit_heads where customer_id = $1', [id])).rowCount,
    ),
  );
  return { ...customer, mark, recipient, formIds, listId };
}

let app: TestApp;
/** The same, but with the checks of the application off. */
let unchecked: TestApp;
let owner: Owner;
let stranger: Owner;

before(async (context) => {
  const t = context as TestContext;
  const busy = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  [owner, stranger] = [await createOwner(busy), await createOwner(busy)];
  await busy.stop();
  // In these nothing moves by itself.
  app = await startApp(t, { beside: busy });
  unchecked = await startApp(t, { beside: busy, overrides: CHECKS_OFF });
  const empty = Object.entries(await dump(app, owner)).filter(([, rows]) => rows === '');
  assert.deepEqual(empty, [], 'a table without a row shows nothing: give it one in createOwner');
});

function isEmpty({ status, body }: Reply): boolean {
  const found = body.results ?? body.data;
  return status === 200 && Array.isArray(found) && found.length === 0;
}

function assertReply(reply: Reply, wanted: Wanted, why: string): void {
  if (wanted === 'empty') assert.ok(isEmpty(reply), why);
  else assert.equal(reply.status, wanted, why);
}

test('every operation of the API has its id places written down here', async () => {
  const { body } = await app.request('GET', '/openapi.json');
  const operations = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    (methods) => Object.values(methods),
  );
  const ids = operations.map(({ operationId }) => operationId);
  assert.deepEqual(Object.keys(ID_PLACES).toSorted(), ids.toSorted());
  for (const operation of operations) {
    const { parameters = [], requestBody } = operation as { parameters?: { name: string }[]; requestBody?: object };
    const inDocument = [...parameters.map(({ name }) => name).filter(isIdName), ...idsIn(requestBody)];
    const writtenDown = (ID_PLACES[operation.operationId] as Place[]).map(({ name }) => name);
    assert.deepEqual(
      inDocument.filter((name) => !writtenDown.includes(name)),
      [],
      operation.operationId,
    );
  }
});

test("another customer's id is refused wherever one can stand, tells nothing and changes nothing", async () => {
  await app.request('GET', '/v1/email/sandbox/messages', { key: stranger.key }); // wakes the keys, which is a row
  const earlier = [await dump(app, owner), await dump(app, stranger)];
  for (const { name, ask, foreign, whenForeign, unknown, whenUnknown } of allPlaces) {
    const told = new Set<string>();
    for (const id of foreign(owner)) {
      const reply = await ask(app, stranger, id);
      assertReply(reply, whenForeign, `${name}=${id}`);
      for (const text of [owner.mark, ...owner.formIds]) assert.ok(!reply.text.includes(text), `${name}=${id}`);
      told.add(reply.text);
    }
    assert.ok(told.size <= 1, `${name} answers the same for every foreign id`);
    for (const id of unknown) assertReply(await ask(app, stranger, id), whenUnknown, `${name}=${id}`);
  }
  const after = [await dump(app, owner), await dump(app, stranger)];
  assert.deepEqual(after[0], earlier[0]);
  for (const dumped of [...earlier, ...after]) {
    delete dumped.audit_log; // reading an inbox is written down
    delete dumped.api_keys; // and so is the use of a key
  }
  assert.deepEqual(after[1], earlier[1]);
});

test('a body cannot say whose a row is, nor set what the server sets', async () => {
  const earlier = await dump(app, owner);
  const [id, at] = [randomUUID(), '2001-01-01T00:00:00Z'];
  const more = {
    id,
    sourceTrackingId: id,
    customer_id: owner.id,
    customerId: owner.id,
    number: 1,
    key_id: owner.keyId,
    mode: 'test',
    state: 'delivered',
    version: 7,
    created_at: at,
    updated_at: at,
    unsubscribed: true,
    unsubscribed_at: at,
    role: 'owner',
    scopes: ['forms'],
    constructor: { prototype: { customerId: owner.id } },
  };
  const { key } = stranger;
  const saved = await app.request('POST', '/v1/marketing/subscribers', {
    key,
    body: { ...more, subscriber: { ...more, email: 'new@example.net' } },
  });
  const sent = await app.request('POST', '/v1/email/messages', {
    key,
    body: { ...more, data: { ...more, message: { ...more, ...message } } },
  });
  assert.deepEqual([saved.status, sent.status], [200, 200]);
  assert.notEqual(saved.body.data.id, id);
  assert.equal(saved.body.data.attributes.unsubscribed, false);
  assert.ok(saved.body.data.attributes.created_at > at);
  assert.notEqual(sent.body.sourceTrackingId, id);
  const after = await dump(app, stranger);
  assert.ok(after.subscribers?.includes(saved.body.data.id) && after.messages?.includes(sent.body.sourceTrackingId));
  for (const rows of Object.values(after)) assert.ok(!rows.includes(id) && !rows.includes(owner.keyId));
  assert.deepEqual(await dump(app, owner), earlier);
});

test('with the checks of the application off, row-level security alone shows and changes no foreign row', async () => {
  const earlier = await dump(app, owner);
  for (const { name, ask, foreign } of allPlaces) {
    for (const id of foreign(owner)) {
      const reply = await ask(unchecked, stranger, id);
      assert.ok(reply.status >= 400 || isEmpty(reply), `${name}=${id} answers ${reply.status}`);
      assert.ok(!reply.text.includes(owner.mark), `${name}=${id}`);
    }
  }
  assert.deepEqual(await dump(app, owner), earlier);
});

/** Runs work as the role of the application, in a transaction with this setting of its customers. */
async function asApp(setting: string | null, work: (client: Client) => Promise<void>): Promise<void> {
  await withConnection(urlForRole(app.installation.ownerUrl, 'app'), async (client) => {
    await client.query('begin');
    if (setting !== null) await client.query(`select set_config('carepost.customers', $1, true)`, [setting]);
    await work(client);
  });
}

async function mayDo(client: Client, right: string, table: string): Promise<boolean> {
  const { rows } = await client.query('select has_table_privilege($1, $2) as may', [table, right]);
  return rows[0].may;
}

async function customersSeen(client: Client, { name, column }: TenantTable): Promise<number[]> {
  const { rows } = await client.query(`select distinct ${column} as id from ${name}`);
  return rows.map(({ id }) => id);
}

test('the role of the application sees the rows of the customers it is set to, and of nobody without', async () => {
  const tables = await tenantTables(app);
  for (const setting of [null, '', '{}', '{2147483647}']) {
    await asApp(setting, async (client) => {
      for (const table of tables) {
        if (await mayDo(client, 'select', table.name)) assert.deepEqual(await customersSeen(client, table), []);
      }
    });
  }
  await asApp(`{${owner.id}}`, async (client) => {
    for (const table of tables) {
      if (await mayDo(client, 'select', table.name)) assert.deepEqual(await customersSeen(client, table), [owner.id]);
    }
  });
});

test('the role of the application writes no row for another customer and moves none there', async () => {
  let attempts = 0;
  await asApp(`{${stranger.id}}`, async (client) => {
    const attempt = async (right: string, table: string, sql: string) => {
      if (!(await mayDo(client, right, table))) return;
      await client.query('savepoint attempt');
      await assert.rejects(client.query(sql), /violates row-level security policy|"id" can only be updated to DEFAULT/);
      await client.query('rollback to attempt');
      attempts += 1;
    };
    for (const { name, column, partitionedBy } of await tenantTables(app)) {
      const [also, value] = partitionedBy === null ? ['', ''] : [`, ${partitionedBy}`, ', gen_random_uuid()'];
      const insert = `insert into ${name} (${column}${also}) overriding system value values (${owner.id}${value})`;
      await attempt('insert', name, insert);
      await attempt('update', name, `update ${name} set ${column} = ${owner.id} where ${column} = ${stranger.id}`);
    }
  });
  assert.ok(attempts > 20, `${attempts} attempts were made`);
});

test('an own id is taken where a foreign one is refused', async () => {
  for (const { name, ask, foreign } of allPlaces) {
    for (const id of foreign(owner)) assert.equal((await ask(app, owner, id)).status, 200, `${name}=${id}`);
  }
});

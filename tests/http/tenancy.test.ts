import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import type { Overrides } from '../../src/overrides.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addDripFact } from '../support/drips.ts';
import { FORMS_PLACES } from '../support/id-places/forms.ts';
import { message, type Place, type Wanted } from '../support/id-places/place.ts';
import { WORK_PLACES } from '../support/id-places/work.ts';
import { ID_PLACES, MARKETING_PLACES, PASSED_OVER } from '../support/id-places.ts';
import { asOwner, createOwner, type Owner } from '../support/owner.ts';

const EVENT = 'api_mail_log_delivered';
const CHECKS_OFF: Overrides = { requireOwn: async () => {}, mayList: () => true };

const MADE_BY_KEY = new Set(['createForm customer_id', 'updateForm customer_id', 'readFormStats customer_id']);

/** Properties that are called ids and name no row of ours. */
const NOT_IDS = new Set(['contentId']);

/** Names of ids that refusals of the Forms area begin with. */
const FORMS_FIELDS = new Set(['subscription_list_id', 'assignee_id']);

const placesOf = (operations: Record<string, Place[]>) =>
  Object.entries(operations).flatMap(([operation, places]) => places.map((place) => [operation, place] as const));

const allPlaces = placesOf(ID_PLACES).map(([operation, place]) => ({ ...place, name: `${operation} ${place.name}` }));

/** The places whose refusals list the field: all of Marketing, and of Forms those that name it in words. */
const listedPlaces = [
  ...placesOf(MARKETING_PLACES),
  ...placesOf({ ...FORMS_PLACES, ...WORK_PLACES }).filter(([, { name }]) => FORMS_FIELDS.has(name)),
];

/** What a schema has under names that end in id, however deep. */
function idsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const named = Object.keys((schema as { properties?: object }).properties ?? {});
  return [...named.filter(isIdName), ...Object.values(schema).flatMap(idsIn)];
}

function isIdName(name: string): boolean {
  return /(^|_)ids?$|Ids?$/.test(name) && !NOT_IDS.has(name);
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
  for (const each of [owner, stranger]) await addDripFact(busy, each); // which nobody takes away now
  // Where this has begun, not much else goes any more.
  await asOwner(busy, (client) =>
    client.query(
      `insert into customer_destructions (customer_id, id, began_at, began_by_kind, began_by, reason)
       select id, gen_random_uuid(), now(), 'cli', 'test', 'mark-of-' || username from customers where id = any($1)`,
      [[owner.id, stranger.id]],
    ),
  );
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
    const places = (ID_PLACES[operation.operationId] as Place[]).map(({ name }) => name);
    const writtenDown = [...places, ...(PASSED_OVER[operation.operationId] ?? [])];
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
    delete dumped.user_sessions; // and of a session
  }
  assert.deepEqual(after[1], earlier[1]);
});

/** What errors call the field of a place, without what it stands in. */
function fieldOf(place: string): string {
  if (place.endsWith(' in filters')) return 'filters';
  if (place.endsWith(' in steps')) return 'steps';
  if (place.endsWith(' as goal')) return place.startsWith('form') ? 'form_id' : 'segment';
  return place;
}

test('the refusal of an id lists the field that it was sent in', async () => {
  for (const [operation, { name, ask, foreign, unknown }] of listedPlaces) {
    for (const id of [...foreign(owner), ...unknown]) {
      const reply = await ask(app, stranger, id);
      if (isEmpty(reply)) continue;
      const fields = Object.keys(reply.body.details ?? reply.body.fields ?? {});
      const names = fields.map((field) => field.split('.').at(-1));
      assert.deepEqual(names, [fieldOf(name)], `${operation} ${name}=${id} answers ${reply.status}`);
    }
  }
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
  const post = (path: string, body: object) => app.request('POST', path, { key: stranger.key, body });
  const whole = { ...more, ...message };
  const target = (path: string) => ({ ...more, target_url: `http://127.0.0.1:9/${path}`, events: [EVENT] });
  const saved = await post('/v1/marketing/subscribers', { ...more, subscriber: { ...more, email: 'new@example.net' } });
  const sent = await post('/v1/email/messages', { ...more, data: { ...more, message: whole } });
  const bulk = await post('/v1/email/bulk_messages', { ...more, data: { ...more, messages: [whole] } });
  const later = { ...more, message: whole, scheduled_at: new Date(Date.now() + 3600_000).toISOString() };
  const scheduled = await post('/v1/email/schedule', { ...more, data: later });
  const template = await post('/v1/email/dynamic_templates', { ...more, name: 'new', body: 'Hello' });
  const made = await post('/v1/email/webhook_endpoints', { ...target('one'), public_id: id });
  const hook = await post('/v1/webhooks/endpoints', { ...target('other'), public_id: id, signing_secret: id });
  const replies = [saved, sent, bulk, scheduled, template, made, hook];
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200, 201, 201, 201],
  );
  assert.ok(replies.every(({ text }) => !text.includes(id)));
  assert.equal(saved.body.data.attributes.unsubscribed, false);
  assert.ok([saved.body.data.attributes, made.body, hook.body.data].every(({ created_at: then }) => then > at));
  assert.equal(scheduled.body.state, 'pending');
  assert.equal(made.body.api_customer_id, stranger.id);
  const after = await dump(app, stranger);
  const has = (table: string, row: string) => after[table]?.includes(row) === true;
  assert.ok(has('subscribers', saved.body.data.id) && has('messages', sent.body.sourceTrackingId));
  assert.ok(has('messages', bulk.body.messages[0].sourceTrackingId));
  assert.ok(has('scheduled_messages', scheduled.body.sourceTrackingId));
  assert.ok(has('dynamic_templates', `(${template.body.id},`) && has('webhook_endpoints', hook.body.data.id));
  for (const rows of Object.values(after)) assert.ok(!rows.includes(id) && !rows.includes(owner.keyId));
  assert.deepEqual(await dump(app, owner), earlier);
});

test('with the checks of the application off, row-level security alone shows and changes no foreign row', async () => {
  const earlier = await dump(app, owner);
  for (const { name, ask, foreign } of allPlaces) {
    for (const id of foreign(owner)) {
      const reply = await ask(unchecked, stranger, id);
      // Whose a form is follows from the key, whatever the body says.
      const harmless = isEmpty(reply) || MADE_BY_KEY.has(name);
      assert.ok(reply.status >= 400 || harmless, `${name}=${id} answers ${reply.status}`);
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

/** What grows with each look at it, or tells when somebody looked last. */
const MOVED_BY_READING = new Set([
  '/app/api/audit_log',
  '/app/api/audit_log/actions',
  '/app/api/audit_log/csv',
  '/app/api/sessions',
]);

/** What lists, searches, counts and reports answer to somebody who names no id. */
async function readWithoutIds({ id, mark, person: { cookie } }: Owner): Promise<Map<string, string>> {
  const { body } = await app.request('GET', '/openapi.json');
  const read = new Map<string, string>();
  for (const [path, { get }] of Object.entries(body.paths as Record<string, { get?: { parameters?: Named[] } }>)) {
    if (get === undefined || path.includes('{') || MOVED_BY_READING.has(path)) continue;
    const takesSearch = get.parameters?.some(({ name }) => name === 'search') === true;
    for (const search of takesSearch ? ['', `&search=${mark.slice(0, 8)}`] : ['']) {
      const url = `${path}?customer_id=${id}${search}`;
      const { status, text } = await app.request('GET', url, { headers: { cookie } });
      read.set(url, `${status} ${text.replace(/"(counted|last_used)_at":[^,}]+/g, '')}`);
    }
  }
  return read;
}

interface Named {
  name: string;
}

/** From here on every statement has to say itself whose rows it is about. */
async function takeRowSecurityDown(): Promise<void> {
  const tables = await tenantTables(app);
  await asOwner(app, async (client) => {
    for (const { name } of tables) await client.query(`alter table ${name} disable row level security`);
  });
  await asApp(null, async (client) => {
    assert.equal((await client.query('select from subscribers limit 1')).rowCount, 1, 'the wall is down');
  });
}

test('with row-level security off, the application alone shows and changes no foreign row', async () => {
  const told = await readWithoutIds(stranger);
  await takeRowSecurityDown();
  assert.deepEqual(await readWithoutIds(stranger), told);
  assert.ok([...told.values()].filter((text) => text.includes(stranger.mark)).length > 40);
  const earlier = await dump(app, owner);
  for (const { name, ask, foreign, whenForeign } of allPlaces) {
    for (const id of foreign(owner).slice(0, 1)) {
      const reply = await ask(app, stranger, id);
      assertReply(reply, whenForeign, `${name}=${id}`);
      assert.ok(!reply.text.includes(owner.mark), `${name}=${id}`);
    }
  }
  assert.deepEqual(await dump(app, owner), earlier);
});

/** Without when a key was used last, which a node writes down once a minute. */
async function dumpAsLeft(customer: TestCustomer): Promise<Record<string, string>> {
  const { api_keys: _, ...rest } = await dump(app, customer);
  return rest;
}

/** The second wall is still down: what changes one's own rows must not reach those of another either. */
test('an own id is taken where a foreign one is refused, and nothing of another customer comes or goes with it', async () => {
  const earlier = await dumpAsLeft(stranger);
  for (const { name, ask, foreign } of allPlaces) {
    for (const id of foreign(owner)) {
      const { status, text } = await ask(app, owner, id);
      const isTaken = (status >= 200 && status < 300) || status === 409; // what is over cannot be paused
      assert.ok(isTaken, `${name}=${id} answers ${status}`);
      assert.ok(!text.includes(stranger.mark), `${name}=${id}`);
    }
  }
  assert.deepEqual(await dumpAsLeft(stranger), earlier);
});

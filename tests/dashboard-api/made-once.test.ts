import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

const KEY = { name: 'Scheduling system', mode: 'live', scopes: ['forms'] };
const INCIDENT = {
  discovered_at: '2026-01-02T03:04:05Z',
  breach_from: null,
  breach_to: null,
  severity: 'high',
  what_happened: 'A laptop was lost',
  information: '',
  steps: '',
  doing: '',
  contact: '',
  scope: null,
};

let app: TestApp;
let nodes: TestApp[];
let customer: TestCustomer;
let owner: SignedIn;
let operator: SignedIn;
before(async (t) => {
  app = await startApp(t as TestContext);
  nodes = [app, await startApp(t as TestContext, { beside: app })];
  customer = await app.createCustomer();
  owner = await signIn(app, customer, 'owner');
  operator = await signIn(app, null, 'operator');
});

const askedOnce = (person: SignedIn, path: string, body: object, key: string = randomUUID(), node: TestApp = app) =>
  node.request('POST', `/app/api${path}`, {
    headers: { cookie: person.cookie, 'x-csrf-token': person.csrf, 'idempotency-key': key },
    body,
  });

async function count(from: string): Promise<number> {
  const { rows } = await asOwner(app, (client) => client.query(`select count(*)::int as count from ${from}`));
  return rows[0].count;
}

interface Made {
  person: SignedIn;
  path: string;
  body: object;
  /** What there is too much of where it was made twice. */
  effects: string;
}

async function everything(): Promise<Record<string, Made>> {
  const { body: opened } = await askedOnce(owner, '/incidents', { ...INCIDENT, what_happened: 'Another one' });
  const { body: invited } = await askedOnce(owner, '/team', { email: 'eve@example.org', name: 'Eve', role: 'reader' });
  const incident = { body: INCIDENT, effects: 'incidents' };
  const [mails, acts] = [
    'messages where customer_id = 0',
    `audit_log where action = 'user.invited-again' and customer_id > 0`,
  ];
  return {
    hold: {
      person: owner,
      path: '/holds',
      body: { kind: 'customer', reason: 'Lee v. Clinic' },
      effects: 'legal_holds',
    },
    agreement: {
      person: owner,
      path: '/agreement/sign',
      body: { signer_name: 'Ann Lee', signer_title: 'Director', accepted: true, version: '2026-1' },
      effects: 'agreements',
    },
    invitation: {
      person: owner,
      path: '/team',
      body: { email: 'ben@example.org', name: 'Ben', role: 'reader' },
      effects: mails,
    },
    'second invitation': { person: owner, path: `/team/${invited.id}/invite_again`, body: {}, effects: acts },
    incident: { person: owner, path: '/incidents', ...incident },
    entry: {
      person: owner,
      path: `/incidents/${opened.id}/entries`,
      body: { text: 'Closed', state: 'closed' },
      effects: 'incident_entries',
    },
    'incident of the installation': { person: operator, path: '/operator/incidents', ...incident },
    customer: {
      person: operator,
      path: '/operator/customers',
      body: { name: 'Oak Clinic', username: 'oak', owner_email: 'oak@example.org' },
      effects: mails,
    },
    'emergency access': {
      person: operator,
      path: '/operator/break_glass',
      body: { customer_id: customer.id, reason: 'nobody can sign in', minutes: 5 },
      effects: 'break_glass_grants',
    },
  };
}

test('whatever is made in the dashboard is made once by one key, and every repeat tells the same', async () => {
  for (const [name, { person, path, body, effects }] of Object.entries(await everything())) {
    const beforehand = await count(effects);
    const key = randomUUID();
    const replies = await Promise.all([...nodes, ...nodes].map((node) => askedOnce(person, path, body, key, node)));
    for (const { status, text } of replies) {
      assert.ok(status < 300, `${name}: ${status} ${text}`);
      assert.equal(text, replies[0]?.text, name);
    }
    const first = replies.filter((reply) => reply.headers.get('idempotency-replayed') === null);
    assert.equal(first.length, 1, name);
    assert.equal((await count(effects)) - beforehand, 1, name);
  }
});

test('a key whose answer got lost is shown again in the same session, and is nowhere kept', async () => {
  const admin = await signIn(app, customer, 'admin');
  const sent = randomUUID();
  const make = (person = admin, body: object = KEY) => askedOnce(person, '/api_keys', body, sent);
  const beforehand = await count('api_keys');
  const made = await make();
  assert.equal(made.status, 201);
  const again = await make();
  assert.deepEqual([again.status, again.body], [201, made.body]);
  assert.equal(await count('api_keys'), beforehand + 1);
  const { key, id } = made.body;
  const listForms = () => app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key });
  assert.equal((await listForms()).status, 200);
  assert.equal((await make(admin, { ...KEY, name: 'Another' })).status, 409);

  const { body: log } = await owner.request('GET', '/app/api/audit_log');
  const told = log.data.filter(({ target }: { target: string }) => target === id);
  assert.deepEqual(
    told.map(({ action }: { action: string }) => action),
    ['key.shown-again', 'key.created'],
  );

  const { rows } = await asOwner(app, (client) =>
    client.query(`select status, reply from idempotency_keys where operation = 'createApiKey' and status = 201`),
  );
  const { vault } = app.installation;
  assert.equal(rows.length, 1);
  const hash = (await vault.of(customer.id)).blindIndex('idempotency key', sent).toString('hex');
  const place = { table: 'idempotency_keys', row: `createApiKey/${hash}`, column: 'reply' };
  const kept = JSON.parse((await vault.of(customer.id)).open(place, rows[0].reply).toString());
  assert.deepEqual(Object.keys(kept).toSorted(), ['id', 'session']);
});

test('a key is shown again in no other session, and not once it was revoked', async () => {
  const admin = await signIn(app, customer, 'admin');
  const sent = randomUUID();
  const { body: made } = await askedOnce(admin, '/api_keys', KEY, sent);
  const other = await askedOnce(owner, '/api_keys', KEY, sent);
  assert.equal(other.status, 409);
  assert.ok(!other.text.includes(made.key));
  assert.equal((await admin.request('DELETE', `/app/api/api_keys/${made.id}`)).status, 200);
  const revoked = await askedOnce(admin, '/api_keys', KEY, sent);
  assert.equal(revoked.status, 409);
  assert.match(revoked.text, /revoked/);
});

test('two keys that are made by one key of two customers, or without any, have secrets of their own', async () => {
  const other = await app.createCustomer();
  const people = [await signIn(app, customer, 'admin'), await signIn(app, other, 'admin')];
  const secrets = new Set<string>();
  for (const person of people) {
    for (const { body } of [
      await askedOnce(person, '/api_keys', KEY, 'the same'),
      await person.request('POST', '/app/api/api_keys', { body: KEY }),
    ]) {
      assert.match(body.key, /^cp_live_[0-9A-Za-z]{61}$/);
      secrets.add(body.key.slice(-49, -6));
    }
  }
  assert.equal(secrets.size, 4);
});

test('a customer whose owner cannot be invited is not made, and neither is somebody to whom no mail can go', async () => {
  const wanted = { name: 'Elm Clinic', username: 'elm', owner_email: 'elm@example.org' };
  await asOwner(app, (client) => client.query('alter table messages add constraint nothing check (false) not valid'));
  const failed = [
    await askedOnce(operator, '/operator/customers', wanted),
    await askedOnce(owner, '/team', { email: 'zoe@example.org', name: 'Zoe', role: 'reader' }),
  ];
  await asOwner(app, (client) => client.query('alter table messages drop constraint nothing'));
  assert.deepEqual(
    failed.map(({ status }) => status),
    [500, 500],
  );
  assert.equal(await count(`customers where username = 'elm'`), 0);
  assert.equal(await count(`users where email in ('elm@example.org', 'zoe@example.org')`), 0);
  await eventually(async () => (await askedOnce(operator, '/operator/customers', wanted)).status === 201);
});

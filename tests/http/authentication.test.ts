import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { revokeApiKey } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { Scope } from '../../src/platform/http/access.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';

const REASON = (scope: Scope) => `The API key is missing, invalid, or without scope ${scope}`;
const SCOPES: Scope[] = ['email', 'forms', 'marketing'];

const clock = createMovableClock();
let app: TestApp;
let nodes: TestApp[];
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  nodes = [app, await startApp(t as TestContext, { clock, beside: app })];
});

interface AreaUnderTest {
  name: string;
  /** The scopes of which one is enough. */
  scopes: Scope[];
  accepts(key: string): string[];
  ask(customer: TestCustomer, authorization?: string, node?: TestApp): Promise<Reply>;
  refusal: object;
}

const withHeader = (authorization: string | undefined) =>
  authorization === undefined ? {} : { headers: { authorization } };

const bearerForms = (key: string) => [`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`];
const tokenForms = (key: string) => [
  `Token token=${key}`,
  `Token token="${key}"`,
  `token token=${key}`,
  `TOKEN TOKEN="${key}"`,
];

const AREAS: AreaUnderTest[] = [
  {
    name: 'email',
    scopes: ['email'],
    accepts: (key) => [...bearerForms(key), ...tokenForms(key)],
    ask: (_customer, authorization, node = app) =>
      node.request('GET', '/v1/email/sandbox/messages', withHeader(authorization)),
    refusal: {
      errors: [{ code: 401, title: 'Invalid Access Token', details: REASON('email'), status: 'invalid_access_token' }],
    },
  },
  {
    name: 'forms',
    scopes: ['forms'],
    accepts: bearerForms,
    ask: ({ id }, authorization, node = app) =>
      node.request('GET', `/v1/forms/api/forms?customer_id=${id}`, withHeader(authorization)),
    refusal: {
      message: REASON('forms'),
      detail: REASON('forms'),
      error: 'Invalid Access Token',
      errors: [{ code: 401, title: 'Invalid Access Token', details: REASON('forms') }],
    },
  },
  {
    name: 'marketing',
    scopes: ['marketing'],
    accepts: (key) => [...bearerForms(key), ...tokenForms(key)],
    ask: (_customer, authorization, node = app) =>
      node.request('POST', '/v1/marketing/subscribers', {
        ...withHeader(authorization),
        body: { subscriber: { email: 'ann@example.com' } },
      }),
    refusal: { error: REASON('marketing'), code: 'invalid_access_token', details: {} },
  },
  {
    name: 'webhooks',
    scopes: SCOPES,
    accepts: bearerForms,
    ask: (_customer, authorization, node = app) =>
      node.request('GET', '/v1/webhooks/endpoints', withHeader(authorization)),
    refusal: { message: 'The API key is missing, or invalid' },
  },
];

function assertRefused({ name, refusal }: AreaUnderTest, reply: Reply, why: string): void {
  assert.equal(reply.status, 401, `${name}: ${why}`);
  assert.deepEqual(reply.body, refusal, `${name}: ${why}`);
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A key of the same public id that was never made: another secret under a checksum that is right. */
function forge(key: string): string {
  const secret = ALPHABET[(ALPHABET.indexOf(key.at(30) as string) + 1) % ALPHABET.length];
  const body = `${key.slice(0, 30)}${secret}${key.slice(31, -6)}`;
  const digits = Array.from({ length: 6 }, (_, place) => Math.floor(crc32(body) / 62 ** (5 - place)) % 62);
  return body + digits.map((digit) => ALPHABET[digit]).join('');
}

async function lastUse(keyId: string): Promise<Date | null> {
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select last_used_at from api_keys where id = $1', [keyId]),
  );
  return rows[0].last_used_at;
}

/** Everything that the database holds, as text. */
async function dumpDatabase(): Promise<string> {
  return withConnection(app.installation.ownerUrl, async (client) => {
    const { rows: tables } = await client.query(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(`select string_agg(t::text, E'\\n') as text from ${name} t`);
      texts.push(rows[0].text ?? '');
    }
    return texts.join('\n');
  });
}

test('each area takes its forms of the header, in any case', async () => {
  const customer = await app.createCustomer();
  for (const area of AREAS) {
    for (const scope of area.scopes) {
      const { key } = await app.createKey(customer, [scope]);
      for (const header of area.accepts(key)) {
        assert.equal((await area.ask(customer, header)).status, 200, `${area.name}: ${header.replace(key, 'KEY')}`);
      }
    }
  }
});

test('a missing, garbled, unknown or wrong-scope key is refused in the body of the area', async () => {
  const customer = await app.createCustomer();
  const { key } = customer;
  for (const area of AREAS) {
    assertRefused(area, await area.ask(customer), 'no header');
    const others = SCOPES.filter((scope) => !area.scopes.includes(scope));
    const headers: Record<string, string> = {
      'an empty header': '',
      'a bare key': key,
      'a scheme alone': 'Bearer',
      'an empty token': 'Token token=',
      'an unknown scheme': `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      'a key in quotes': `Bearer "${key}"`,
      'two keys': `Bearer ${key} ${key}`,
      'two keys in one header': `Bearer ${key}, Bearer ${key}`,
      'a token without its name': `Token ${key}`,
      'a key with its end cut off': `Bearer ${key.slice(0, -1)}`,
      'a key with more at its end': `Bearer ${key}0`,
      'a key in capitals': `Bearer ${key.toUpperCase()}`,
      'a key that is not ours': 'Bearer eyJhbGciOiJub25lIn0.e30.',
      'a secret that was never made': `Bearer ${forge(key)}`,
    };
    if (others.length > 0) headers['a key of another scope'] = `Bearer ${(await app.createKey(customer, others)).key}`;
    for (const [why, header] of Object.entries(headers)) {
      assertRefused(area, await area.ask(customer, header), why);
    }
    assert.equal((await area.ask(customer, `Bearer ${key}`)).status, 200, 'and the key itself is taken');
  }
});

test('Forms and Webhooks refuse the Token form', async () => {
  const customer = await app.createCustomer();
  for (const area of AREAS.filter(({ name }) => name === 'forms' || name === 'webhooks')) {
    for (const header of tokenForms(customer.key)) {
      assertRefused(area, await area.ask(customer, header), header.replace(customer.key, 'KEY'));
    }
  }
});

test('a key with one character changed is refused, wherever it stands', async () => {
  const customer = await app.createCustomer();
  const { key } = customer;
  const [area] = AREAS as [AreaUnderTest];
  for (const place of key.split('').keys()) {
    const other = key[place] === 'x' ? 'y' : 'x';
    const changed = key.slice(0, place) + other + key.slice(place + 1);
    assertRefused(area, await area.ask(customer, `Bearer ${changed}`), `character ${place}`);
  }
});

test('the username in an address is part of the credential', async () => {
  const [one, other] = [await app.createCustomer(), await app.createCustomer()];
  const [email, , marketing] = AREAS as [AreaUnderTest, AreaUnderTest, AreaUnderTest];
  const inbox = (base: string, username: string, key: string) =>
    app.request('GET', `${base}/${username}/sandbox/messages`, { key });
  const subscribe = (username: string, key: string) =>
    app.request('POST', `/v1/orca/${username}/subscribers`, { key, body: { subscriber: { email: 'a@example.com' } } });
  for (const base of ['/v1', '/emailapi/v1']) {
    assert.equal((await inbox(base, one.username, one.key)).status, 200);
    assertRefused(email, await inbox(base, one.username, other.key), "another customer's name");
    assertRefused(email, await inbox(base, 'nobody-at-all', one.key), "nobody's name");
  }
  assert.equal((await subscribe(one.username, one.key)).status, 200);
  assertRefused(marketing, await subscribe(one.username, other.key), "another customer's name");
  assertRefused(marketing, await subscribe('nobody-at-all', one.key), "nobody's name");
});

test('a key is refused from the moment at which it expires', async () => {
  const customer = await app.createCustomer();
  const expiresAt = new Date(clock.now().getTime() + 60_000);
  const { key } = await app.createKey(customer, ['email', 'forms', 'marketing'], { expiresAt });
  clock.advance(59_999);
  for (const area of AREAS) assert.equal((await area.ask(customer, `Bearer ${key}`)).status, 200);
  clock.advance(1);
  for (const area of AREAS) {
    assertRefused(area, await area.ask(customer, `Bearer ${key}`), 'expired');
    assert.equal((await area.ask(customer, `Bearer ${customer.key}`)).status, 200, 'another key lives on');
  }
});

test('a key that one node revokes is refused by every node within five seconds', async () => {
  const customer = await app.createCustomer();
  const { id, key } = await app.createKey(customer, ['email', 'forms', 'marketing']);
  const askAll = (header: string) =>
    Promise.all(nodes.flatMap((node) => AREAS.map(async (area) => (await area.ask(customer, header, node)).status)));
  assert.deepEqual(new Set(await askAll(`Bearer ${key}`)), new Set([200]));
  await revokeApiKey(app.installation, app.act(customer.id, 'key.revoked'), id);
  await eventually(async () => (await askAll(`Bearer ${key}`)).every((status) => status === 401), 5_000);
  for (const area of AREAS) assertRefused(area, await area.ask(customer, `Bearer ${key}`), 'revoked');
  assert.deepEqual(new Set(await askAll(`Bearer ${customer.key}`)), new Set([200]), 'another key lives on');
});

test('a new key works at once on every node', async () => {
  const customer = await app.createCustomer();
  for (const mode of ['live', 'test'] as const) {
    const { key } = await app.createKey(customer, ['email', 'forms', 'marketing'], { mode });
    for (const node of nodes) {
      for (const area of AREAS) assert.equal((await area.ask(customer, `Bearer ${key}`, node)).status, 200);
    }
  }
});

test('the database holds the hash of a key and nothing that the key could be read from', async () => {
  const customer = await app.createCustomer();
  for (const area of AREAS) await area.ask(customer, `Bearer ${customer.key}`);
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select k::text as text, secret_hash, public_id from api_keys k where id = $1', [customer.keyId]),
  );
  const [row] = rows;
  assert.deepEqual(row.secret_hash, createHash('sha256').update(customer.key).digest());
  assert.ok(customer.key.startsWith(`cp_live_${row.public_id}`));
  const secret = customer.key.slice(`cp_live_${row.public_id}`.length, -6);
  const everything = await dumpDatabase();
  assert.ok(everything.includes(row.text), 'the dump is one of this database');
  for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
    assert.ok(!everything.includes(form));
  }
});

test('the end of a node writes down when a key was last used, and a wrong secret is no use of it', async (t) => {
  const node = await startApp(t, { clock, beside: app });
  const customer = await app.createCustomer();
  const tried = await app.createKey(customer, ['email']);
  const [area] = AREAS as [AreaUnderTest];
  assert.equal((await area.ask(customer, `Bearer ${customer.key}`, node)).status, 200);
  assertRefused(area, await area.ask(customer, `Bearer ${forge(tried.key)}`, node), 'forged');
  assert.equal(await lastUse(customer.keyId), null);
  await node.stop();
  assert.deepEqual(await lastUse(customer.keyId), clock.now());
  assert.equal(await lastUse(tried.id), null);
});

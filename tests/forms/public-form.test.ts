import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endAgreements, recordAgreement } from '../../src/accounts/index.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { askForm, assertRefuses, changeForm, FORMS, makeForm, makeList, readForm } from './form-requests.ts';

const BASES = ['/v1/forms', '/forms', ''];
const DAY = 24 * 3600_000;

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

const open = (id: string, base = '/v1/forms', rest = '') => app.request('GET', `${base}/public/form_data/${id}${rest}`);

const statusOf = async (id: string) => (await open(id)).status;

/** A day of the clock, written as in agreements. */
const day = (ahead: number) => new Date(clock.now().getTime() + ahead * DAY).toISOString().slice(0, 10);

function record({ id }: TestCustomer, signedOn: string, endsOn: string | null): Promise<string> {
  const agreement = { version: '1', signer: 'Ann', signedOn, endsOn, pdf: null };
  return recordAgreement(app.installation, app.act(id, 'agreement.recorded'), agreement);
}

test('an open form is the Form itself, without what is its customer’s business, on every base', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, {
    title: 'Intake',
    description: 'First visit',
    form_html: '<form></form>',
    form_json: { b: [{ type: 'text' }], a: 'ü' },
    form_css: 'p {}',
    vanity_url: `open-${customer.id}`,
    version: 3,
    active: true,
    old_form_id: 12,
    recipient: 'nurse@example.com',
    signable: true,
    signature_confirmation_label: 'I agree',
    type: 'marketing_form',
    subscription_list_id: await makeList(app, customer),
  });
  const own = await readForm(app, customer, id);
  assert.equal(Object.keys(own).length, 21);
  for (const hidden of ['recipient', 'subscription_list_id', 'old_form_id']) assert.notEqual(own[hidden], null);
  for (const base of BASES) {
    for (const spelling of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
      const { status, body, text } = await open(spelling, base);
      assert.equal(status, 200);
      assert.deepEqual(body, { ...own, recipient: null, subscription_list_id: null, old_form_id: null });
      assert.deepEqual(Object.keys(body), Object.keys(own));
      assert.ok(text.includes('"form_json":{"b":[{"type":"text"}],"a":"ü"}'));
    }
  }
  assert.equal(await statusOf(`open-${customer.id}`), 404, 'the id is the access control, not the address');
});

test('a change is public with the next request', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { active: true, form_json: { fields: [{ name: 'a', type: 'text' }] } });
  await open(id);
  await open(id, '', '/schema');
  await changeForm(app, customer, id, { title: 'New', form_json: { fields: [{ name: 'b', type: 'text' }] } });
  const { body } = await open(id);
  assert.deepEqual([body.title, body.version, body.form_json.fields[0].name], ['New', 2, 'b']);
  assert.deepEqual(Object.keys((await open(id, '', '/schema')).body.properties), ['b']);
  const steps: [call: string, body: object | undefined, status: number][] = [
    [`PUT ${id}`, { active: false }, 404],
    [`PUT ${id}`, { active: true }, 200],
    [`POST ${id}/archive`, undefined, 404],
    [`PUT ${id}`, { active: true }, 404],
    [`POST ${id}/unarchive`, undefined, 200],
    [`DELETE ${id}`, undefined, 404],
  ];
  for (const [call, sent, status] of steps) {
    assert.equal((await askForm(app, customer, call, sent)).status, 200, call);
    assert.equal(await statusOf(id), status, call);
    assert.equal((await open(id, '', '/schema')).status, status, call);
  }
});

/** All that a reply tells, but for what tells requests apart. */
function told({ status, headers, text }: Reply) {
  const varying = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset'];
  return { status, text, headers: [...headers].filter(([name]) => !varying.includes(name)) };
}

/** Ids that lead to no open form, each for a reason of its own. */
async function closedIds(): Promise<Record<string, string>> {
  const customer = await app.createCustomer();
  const unsigned = await app.createCustomer({ agreement: false });
  const [inactive, archived, deleted] = [
    await makeForm(app, customer),
    await makeForm(app, customer, { active: true }),
    await makeForm(app, customer, { active: true }),
  ];
  await askForm(app, customer, `POST ${archived}/archive`);
  await changeForm(app, customer, archived, { active: true });
  await askForm(app, customer, `DELETE ${deleted}`);
  const names = { 'of another spelling': `{${inactive}}`, short: inactive.slice(1), long: `${inactive}0` };
  return {
    unknown: randomUUID(),
    inactive,
    archived,
    deleted,
    'without agreement': await makeForm(app, unsigned, { active: true }),
    'the nil UUID': '00000000-0000-0000-0000-000000000000',
    malformed: 'x',
    number: '1',
    NUL: '\0',
    'a quote': "' or 1=1 --",
    percent: '%',
    ...names,
  };
}

test('every id that leads to no open form is refused in the same words, so that nobody learns why', async () => {
  const ids = await closedIds();
  for (const base of BASES) {
    for (const rest of ['', '/schema']) {
      const first = await open(randomUUID(), base, rest);
      assertRefuses(first, 404);
      assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8');
      for (const [what, id] of Object.entries(ids)) {
        const reply = await open(encodeURIComponent(id), base, rest);
        assert.deepEqual(told(reply), told(first), `${base} ${rest} ${what}`);
        assert.match(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      }
    }
  }
});

test('a form is open from the day an agreement is signed to the day it ends', async () => {
  const customer = await app.createCustomer({ agreement: false });
  const id = await makeForm(app, customer, { active: true });
  await record(customer, day(1), day(2));
  const seen: number[] = [];
  for (let ahead = 0; ahead < 4; ahead += 1) {
    seen.push(await statusOf(id), (await open(id, '', '/schema')).status);
    clock.advance(DAY);
  }
  assert.deepEqual(seen, [404, 404, 200, 200, 200, 200, 404, 404]);
  assert.equal((await readForm(app, customer, id)).active, true, 'its customer can still read it');
  await record(customer, day(0), null);
  assert.equal(await statusOf(id), 200);
  await endAgreements(app.installation, app.act(customer.id, 'agreement.ended'), day(0));
  assert.equal(await statusOf(id), 200, 'on the last day');
  clock.advance(DAY);
  assert.equal(await statusOf(id), 404);
});

test('an Authorization header is ignored, whatever it says', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer, { active: true, recipient: 'nurse@example.com' });
  const closed = await makeForm(app, customer);
  const { key: email } = await app.createKey(stranger, ['email']);
  const expected = told(await open(id));
  const keys = [customer.key, stranger.key, email].flatMap((key) => [`Bearer ${key}`, `Token token=${key}`]);
  for (const authorization of [...keys, 'Bearer nonsense', 'Basic eDp5', 'x', '']) {
    const headers = { authorization };
    assert.deepEqual(told(await app.request('GET', `/v1/forms/public/form_data/${id}`, { headers })), expected);
    assert.equal((await app.request('GET', `/public/form_data/${closed}`, { headers })).status, 404);
  }
});

test('pages of any site may read open forms, and nothing else of the area', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { active: true });
  const headers = { origin: 'https://clinic.example', 'access-control-request-method': 'GET' };
  for (const base of BASES) {
    for (const path of [id, `${id}/schema`, randomUUID(), 'x']) {
      const { headers: given } = await app.request('GET', `${base}/public/form_data/${path}`, { headers });
      assert.equal(given.get('access-control-allow-origin'), '*', path);
      assert.equal(given.get('access-control-allow-credentials'), null);
      const preflight = await app.request('OPTIONS', `${base}/public/form_data/${path}`, { headers });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.text, '');
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET');
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/);
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
    }
  }
  const guarded = await app.request('GET', `${FORMS}/${id}`, { key: customer.key, headers });
  assert.equal(guarded.status, 200);
  assert.equal(guarded.headers.get('access-control-allow-origin'), null);
  const preflight = await app.request('OPTIONS', `${FORMS}/${id}`, { headers });
  assert.equal(preflight.headers.get('access-control-allow-origin'), null);
});

const ASKING = { type: 'text', label: 'Name', required: true };
const DEFINITIONS: Record<string, [definition: object, asks: string[]]> = {
  nothing: [{}, []],
  body: [
    {
      body: [
        { ...ASKING, id: 'a' },
        { type: 'email', id: 'b' },
      ],
    },
    ['a', 'b'],
  ],
  fields: [{ fields: [{ ...ASKING, name: 'a' }] }, ['a']],
  pages: [{ pages: [{ fields: [{ ...ASKING, name: 'a' }] }, { fields: [{ type: 'date', name: 'c' }] }] }, ['a', 'c']],
  'JSON Schema': [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, ['a']],
  'something else': [{ body: 'x', fields: 5, pages: [null, 1], properties: [] }, []],
};

test('the schema of an open form is JSON Schema that takes right answers and no wrong ones', async () => {
  const customer = await app.createCustomer();
  for (const [what, [definition, asks]] of Object.entries(DEFINITIONS)) {
    const id = await makeForm(app, customer, { active: true, form_json: definition });
    for (const base of BASES) {
      const { status, body } = await open(id, base, '/schema');
      assert.equal(status, 200, what);
      assert.equal(body.$schema, 'https://json-schema.org/draft/2020-12/schema', what);
      assert.deepEqual(Object.keys(body.properties ?? {}), asks, what);
      const accepts = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(body);
      assert.equal(accepts({ a: 'Ann', unheard: ['of'] }), true, what);
      assert.equal(accepts({}), !asks.includes('a'), what);
      assert.equal(accepts('x'), false, what);
    }
  }
});

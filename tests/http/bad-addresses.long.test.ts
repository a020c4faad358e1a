import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { AREAS, type Endpoint, findEndpoints } from '../support/endpoints.ts';
import { shareFor } from '../support/look.ts';
import { type RawBody, rawRequest } from '../support/raw-request.ts';
import { assertNothingLogged, assertRefused, type Case, faultsOf, MARKER } from '../support/refusals.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];

let app: TestApp;
let customer: TestCustomer;
let endpoints: Endpoint[];
let bases: { base: string; errorKeys: string[] }[];

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  endpoints = await findEndpoints(app, customer);
  bases = Object.values(AREAS).flatMap(({ bases: addresses, errorKeys }) =>
    addresses
      .filter((base) => base !== '')
      .map((base) => ({ base: base.replace('{username}', customer.username), errorKeys })),
  );
});

function ask(method: string, path: string, headers: Record<string, string> = {}, body: RawBody = '') {
  const authorization = `Bearer ${customer.key}`;
  return rawRequest(app.url, method, path, { headers: { authorization, ...headers }, body });
}

function askWithBody(method: string, path: string) {
  return ask(method, path, { 'content-type': 'application/json' }, `{"${MARKER}":"${MARKER}"}`);
}

/** One case for each base, method and rest of an address. */
function casesOf(rests: string[], methods: string[]): Case[] {
  return bases.flatMap(({ base, errorKeys }) =>
    rests.flatMap((rest) =>
      methods.map((method) => ({
        what: `${method} ${base}${rest}`,
        errorKeys,
        send: () => askWithBody(method, base + rest),
      })),
    ),
  );
}

/** One case for each alias with a username, with this in its place. */
function usernameCases(username: string): Case[] {
  const paths = [`/v1/${username}/messages`, `/emailapi/v1/${username}/messages`, `/v1/orca/${username}/subscribers`];
  return paths.map((path) => ({
    what: path.slice(0, 60),
    errorKeys: AREAS[path.includes('orca') ? 'marketing' : 'email'].errorKeys,
    send: () => askWithBody('POST', path),
  }));
}

test('unknown addresses are refused for every method', async () => {
  const rests = [`/${MARKER}/x`, `/messages/${MARKER}`, `/api/forms/x/${MARKER}/x`, `/x/${MARKER}?${MARKER}=${MARKER}`];
  await assertRefused(app, casesOf(rests, METHODS));
});

/** Browsers ask by OPTIONS whether a page of another site may call. */
function isPreflight(method: string, path: string): boolean {
  return method === 'OPTIONS' && /\/public\/form_data\/|\/submissions$/.test(path);
}

test('methods that an address does not have are refused on every endpoint', async () => {
  const cases = endpoints.flatMap(({ path, areaErrorKeys: errorKeys, methods }) =>
    METHODS.filter((method) => !methods.includes(method) && !isPreflight(method, path)).map((method) => ({
      what: `${method} ${path}`,
      errorKeys,
      send: () => askWithBody(method, path),
    })),
  );
  await assertRefused(app, cases);
  for (const { path } of endpoints) {
    const { status, text } = await ask('HEAD', path);
    assert.ok(status === 404 || status === 405, `HEAD ${path}: ${status}`);
    assert.equal(text, '');
  }
});

test('bad percent-encoding in an address is refused', async () => {
  const rests = [`/%/${MARKER}`, `/%ff/${MARKER}`, `/%00/${MARKER}`, `/%e0%80/${MARKER}`, `/x/%zz${MARKER}`];
  await assertRefused(app, [
    ...casesOf(rests, ['GET', 'POST']),
    ...['%', '%ff', '%00', '%2e%2e', '%2f', '%zz'].flatMap(usernameCases),
  ]);
});

test('an overlong part of an address is refused', async () => {
  await assertRefused(app, [
    ...usernameCases(MARKER.repeat(100)),
    ...casesOf([`/x/${MARKER.repeat(500)}`], ['GET', 'POST']),
  ]);
});

test('an overlong address or header is refused with 431 before any area is known', async () => {
  const long = MARKER.repeat(4_000);
  const { errorKeys } = AREAS.email;
  const cases = endpoints.flatMap(({ method, path }) => [
    { what: `${path}?a=…`, errorKeys, status: 431, send: () => ask(method, `${path}?a=${long}`) },
    { what: `x-long of ${path}`, errorKeys, status: 431, send: () => ask(method, path, { 'x-long': long }) },
  ]);
  await assertRefused(app, cases);
});

const ENCODINGS = ['', '%', '%ff', '%00', '%zz', '%e0%80', '%ed%a0%80', '%F0%9F%98%80', `${MARKER}%00`, '%0d%0aX:%201'];
const ODD = [
  MARKER,
  MARKER.repeat(500),
  "'",
  "1'%20or%201=1--",
  '1e309',
  '-1',
  '9'.repeat(300),
  '2147483648',
  '{}',
  '\\',
];

const TIMES = ['0000-01-01', '1960-01-01', '9999-12-31']
  .map((day) => `${day}T00:00:00Z`)
  .concat('2026-12-31T23:59:60Z');

/** Names that no endpoint has, which all of them leave alone in the same way. */
const UNKNOWN = [MARKER, '__proto__', '%ff', '%00'];
const UNKNOWN_SHARE = 20;

function queriesWith(name: string): string[] {
  const own = name === 'customer_id' ? '' : `customer_id=${customer.id}&`;
  return [
    ...[...ENCODINGS, ...TIMES].map((value) => `${own}${name}=${value}`),
    ...[...ENCODINGS, ...ODD].map((value) => `${own}${name}[]=1&${name}=${value}&${name}=${value}`),
  ];
}

test('no value of a query parameter is a failure', async () => {
  const faults: string[] = [];
  for (const [nth, { method, path, canonical, parameters, errorKeys }] of endpoints.entries()) {
    // An alias leads to the same handler: one parameter shows that it is read in the same way.
    const known = canonical ? parameters : parameters.slice(0, 1);
    const queries = [
      ...known.flatMap((name, at) => shareFor(nth + at, queriesWith(name))),
      ...(canonical ? UNKNOWN : []).flatMap((name, at) => shareFor(nth + at, queriesWith(name), UNKNOWN_SHARE)),
    ];
    for (const query of queries) {
      const answer = await ask(method, `${path}?${query}`);
      if (answer.status === 200) continue;
      faults.push(...faultsOf(answer, errorKeys).map((fault) => `${path}?${query.slice(0, 60)}: ${fault}`));
    }
  }
  assert.deepEqual(faults, []);
  assertNothingLogged(app);
});

test('U+0000 in a search is refused with 400', async () => {
  const cases = endpoints
    .filter(({ parameters }) => parameters.includes('search'))
    .map(({ method, path, errorKeys }) => ({
      what: path,
      errorKeys,
      status: 400,
      send: () => ask(method, `${path}?customer_id=${customer.id}&search=${MARKER}%00`),
    }));
  await assertRefused(app, cases);
});

test('an operation without a body ignores what comes as one', async () => {
  const path = `/v1/forms/api/forms?customer_id=${customer.id}`;
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', MARKER];
  const headers: Record<string, string>[] = [{}, ...types.map((type) => ({ 'content-type': type }))];
  for (const sent of headers)
    for (const body of ['', 'null', '{}', '{', `a=${MARKER}`, '\0', ' '.repeat(10_000)])
      assert.equal((await ask('GET', path, sent, body)).status, 200, JSON.stringify([sent, body.slice(0, 9)]));
});

test('where no body is read it does not matter what is said of its type, and a blank type is none', async () => {
  const form = { title: 'Intake', form_json: { fields: [] }, customer_id: customer.id };
  const { id } = (await app.request('POST', '/v1/forms/api/forms', { key: customer.key, body: form })).body;
  for (const type of ['', '  ', 'json', '/', 'application/json, application/json', MARKER]) {
    const sent = { 'content-type': type };
    const told = JSON.stringify(type);
    assert.equal((await ask('POST', `/v1/forms/api/forms/${id}/archive`, sent, '{}')).status, 200, told);
    assert.equal((await ask('POST', `/v1/forms/api/forms/${id}/unarchive`, sent, '')).status, 200, told);
    assert.equal((await ask('DELETE', '/v1/email/dynamic_templates/999999', sent, '')).status, 404, told);
    assert.equal((await ask('POST', '/v1/forms/api/nothing', sent, '{}')).status, 404, told);
  }
  const blank = { 'content-type': '' };
  assert.equal((await ask('PUT', `/v1/forms/api/forms/${id}`, blank, '{"active":true}')).status, 200);
  assert.equal((await ask('POST', `/v1/forms/api/forms/${id}/submissions`, blank, '{"form_data":{}}')).status, 201);
});

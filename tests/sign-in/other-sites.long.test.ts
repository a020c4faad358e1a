import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { signIn } from '../support/people-session.ts';
import { addAccount, PASSWORD } from './visitor.ts';

const TEMPLATES = '/v1/email/dynamic_templates';
const body = { name: 'Hello', body: '<p>Hello</p>' };

test('what changes something needs the token of the session', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const [person, other] = [await signIn(app, customer, 'editor'), await signIn(app, customer, 'editor')];
  const post = (headers: Record<string, string>) =>
    app.request('POST', TEMPLATES, { body, headers: { cookie: person.cookie, ...headers } });
  for (const headers of [
    {},
    { 'x-csrf-token': '' },
    { 'x-csrf-token': other.csrf },
    { 'x-csrf-token': `${person.csrf}x` },
  ]) {
    assert.equal((await post(headers)).status, 403, JSON.stringify(headers));
  }
  const { body: listed } = await person.request('GET', TEMPLATES);
  assert.deepEqual(listed.data ?? listed, []);
  assert.equal((await post({ 'x-csrf-token': person.csrf })).status, 201);
});

test('a browser that is sent by another site is refused, with the token as well', async (t) => {
  const app = await startApp(t);
  const person = await signIn(app, await app.createCustomer(), 'editor');
  const ask = async (method: string, headers: Record<string, string>) =>
    (await person.request(method, TEMPLATES, { headers, ...(method === 'GET' ? {} : { body }) })).status;
  for (const site of ['cross-site', 'same-site', 'none', 'made-up']) {
    assert.equal(await ask('POST', { 'sec-fetch-site': site }), 403, site);
  }
  for (const site of ['cross-site', 'same-site']) assert.equal(await ask('GET', { 'sec-fetch-site': site }), 403, site);
  for (const origin of ['https://evil.example', 'null', `${app.url}.evil.example`]) {
    assert.equal(await ask('POST', { origin }), 403, origin);
  }
  assert.equal(await ask('GET', { 'sec-fetch-site': 'none' }), 200, 'typed into the address line');
  assert.equal(await ask('POST', { 'sec-fetch-site': 'same-origin', origin: app.url }), 201);
  assert.equal(await ask('GET', { 'sec-fetch-site': 'same-origin' }), 200);
});

test('another site can sign nobody in', async (t) => {
  const app = await startApp(t);
  const { email } = await addAccount(app, await app.createCustomer(), 'owner');
  const signInFrom = (headers: Record<string, string>) =>
    app.request('POST', '/app/api/sign_in', { body: { email, password: PASSWORD }, headers });
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const { status, headers: told } = await signInFrom(headers);
    assert.deepEqual([status, told.getSetCookie()], [403, []]);
  }
  assert.equal((await signInFrom({ 'content-type': 'text/plain' })).status, 415);
  assert.equal((await signInFrom({ origin: app.url, 'sec-fetch-site': 'same-origin' })).status, 200);
});

test('a key opens nothing that is for people, and a cookie counts for nothing beside a key', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const person = await signIn(app, customer, 'reader');
  for (const path of ['/app/api/sessions', '/app/api/factors']) {
    assert.equal((await app.request('GET', path, { key: customer.key })).status, 401, path);
    assert.equal((await person.request('GET', path)).status, 200, path);
  }
  const wrong = await person.request('GET', '/v1/email/webhook_endpoints', { key: 'cp_live_wrong' });
  assert.equal(wrong.status, 401);
  const byKey = await person.request('POST', TEMPLATES, { key: customer.key, body, headers: { 'x-csrf-token': '' } });
  assert.equal(byKey.status, 201, 'the key is the caller');
});

test('a session is of its own customer, wherever a username stands in the address', async (t) => {
  const app = await startApp(t);
  const [own, foreign] = [await app.createCustomer(), await app.createCustomer()];
  const person = await signIn(app, own, 'editor');
  const listAt = async (username: string) => (await person.request('GET', `/v1/${username}/dynamic_templates`)).status;
  assert.deepEqual([await listAt(own.username), await listAt(foreign.username)], [200, 401]);
});

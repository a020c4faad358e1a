import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/people-session.ts';

const WANTED = { name: 'Scheduling system', mode: 'live', scopes: ['forms', 'email'] };

test('a key is shown once, works at once, and is refused after it was revoked', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  const made = await admin.request('POST', '/app/api/api_keys', { body: WANTED });
  assert.equal(made.status, 201);
  const { id, key } = made.body as { id: string; key: string };
  const call = () => app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key });
  assert.equal((await call()).status, 200);
  const listed = await admin.request('GET', '/app/api/api_keys');
  assert.ok(!listed.text.includes(key));
  const [shown] = listed.body.data;
  assert.equal(shown.id, id);
  assert.equal(shown.name, WANTED.name);
  assert.equal(shown.state, 'in_force');
  assert.equal(shown.created_by, admin.email);
  assert.ok(key.startsWith(shown.prefix));
  assert.equal((await admin.request('DELETE', `/app/api/api_keys/${id}`)).status, 200);
  await eventually(async () => (await call()).status === 401);
  assert.equal((await admin.request('GET', '/app/api/api_keys')).body.data[0].state, 'revoked');
  assert.equal((await admin.request('DELETE', `/app/api/api_keys/${id}`)).status, 404);
  assert.ok(!app.logged().includes(key));
});

test('a key is bound to the domains that it names, as they are written in DNS', async (t) => {
  const app = await startApp(t);
  const admin = await signIn(app, await app.createCustomer(), 'admin');
  const make = (sending_domains: unknown) =>
    admin.request('POST', '/app/api/api_keys', { body: { ...WANTED, sending_domains } });
  const made = await make([' Clinic.Example', 'clinic.example', 'münchen.example']);
  assert.equal(made.status, 201);
  assert.equal((await make([])).status, 201);
  const { data } = (await admin.request('GET', '/app/api/api_keys')).body;
  assert.deepEqual(data[0].sending_domains, []);
  assert.deepEqual(data[1].sending_domains, ['clinic.example', 'xn--mnchen-3ya.example']);
  for (const wrong of [
    ['a@clinic.example'],
    ['clinic'],
    [''],
    Array(21).fill('clinic.example'),
    [5],
    'clinic.example',
  ]) {
    const { status, body } = await make(wrong);
    assert.equal(status, 400, JSON.stringify(wrong));
    assert.match(Object.keys(body.fields).join(), /^sending_domains(\.0)?$/);
  }
});

test('a key ends when it says so, and cannot begin in the past', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString();
  const past = await admin.request('POST', '/app/api/api_keys', { body: { ...WANTED, expires_at: inMinutes(-1) } });
  assert.deepEqual(past.body.fields, { expires_at: ['must be in the future'] });
  const made = await admin.request('POST', '/app/api/api_keys', { body: { ...WANTED, expires_at: inMinutes(5) } });
  assert.equal(made.status, 201);
  clock.advance(6 * 60_000);
  assert.equal(
    (await app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key: made.body.key })).status,
    401,
  );
  assert.equal((await admin.request('GET', '/app/api/api_keys')).body.data[0].state, 'expired');
});

test('a key takes a name, a mode and scopes that there are', async (t) => {
  const app = await startApp(t);
  const admin = await signIn(app, await app.createCustomer(), 'admin');
  const refused = [
    { ...WANTED, name: '  ' },
    { ...WANTED, mode: 'other' },
    { ...WANTED, scopes: [] },
    { ...WANTED, scopes: ['everything'] },
    { ...WANTED, expires_at: 'soon' },
  ];
  for (const body of refused) {
    assert.equal((await admin.request('POST', '/app/api/api_keys', { body })).status, 400, JSON.stringify(body));
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

const PASSWORD = 'correct horse battery staple';

async function inviteAs(person: SignedIn, email: string, role: string) {
  return person.request('POST', '/app/api/team', { body: { email, name: 'Robin Vale', role } });
}

/** Invites somebody and lets them set their password. */
async function bringIn(app: TestApp, person: SignedIn, email: string, role: string): Promise<string> {
  const { status, body } = await inviteAs(person, email, role);
  assert.equal(status, 201);
  const token = new URL(body.setup_url).hash.slice(1);
  assert.equal((await app.request('POST', '/app/api/setup', { body: { token, password: PASSWORD } })).status, 200);
  return body.id;
}

function change(person: SignedIn, id: string, role: string) {
  return person.request('PATCH', `/app/api/team/${id}`, { body: { role } });
}

function reset(person: SignedIn, id: string) {
  return person.request('POST', `/app/api/team/${id}/reset_factors`);
}

async function actionsOf(person: SignedIn): Promise<string[]> {
  const { body } = await person.request('GET', '/app/api/audit_log');
  return body.data.map((entry: { action: string }) => entry.action);
}

test('somebody is invited, sets a password and stands in the team as active', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const invited = await inviteAs(owner, 'robin@example.org', 'editor');
  assert.equal(invited.status, 201);
  assert.match(invited.body.setup_url, /\/app\/setup#[\w-]{40,}$/);
  const find = async () => {
    const { body } = await owner.request('GET', '/app/api/team');
    return body.data.find((member: { id: string }) => member.id === invited.body.id);
  };
  const waiting = await find();
  assert.equal(waiting.state, 'invited');
  assert.equal(waiting.name, 'Robin Vale');
  assert.equal(waiting.last_sign_in_at, null);
  const again = await owner.request('POST', `/app/api/team/${invited.body.id}/invite_again`);
  assert.equal(again.status, 200);
  const setUp = (url: string) =>
    app.request('POST', '/app/api/setup', { body: { token: new URL(url).hash.slice(1), password: PASSWORD } });
  assert.equal((await setUp(invited.body.setup_url)).status, 404, 'the first link ends with the second');
  assert.equal((await setUp(again.body.setup_url)).status, 200);
  assert.equal((await find()).state, 'active');
  assert.equal((await owner.request('POST', `/app/api/team/${invited.body.id}/invite_again`)).status, 409);
  assert.equal((await inviteAs(owner, 'ROBIN@example.org', 'reader')).status, 409, 'an address is taken once');
  assert.deepEqual((await inviteAs(owner, 'not an address', 'reader')).body.fields, {
    email: ['takes an email address'],
  });
  const actions = await actionsOf(owner);
  for (const action of ['user.invited', 'user.invited-again', 'user.set-up'])
    assert.ok(actions.includes(action), action);
  assert.ok(!app.logged().includes('robin@example.org'));
});

test('an admin neither makes nor touches owners, and nobody changes their own place', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const admin = await signIn(app, customer, 'admin');
  assert.equal((await inviteAs(admin, 'new-owner@example.org', 'owner')).status, 403);
  assert.equal((await change(admin, owner.userId, 'reader')).status, 403);
  assert.equal((await admin.request('DELETE', `/app/api/team/${owner.userId}`)).status, 403);
  assert.equal((await change(admin, admin.userId, 'editor')).status, 409);
  assert.equal((await change(owner, owner.userId, 'admin')).status, 409);
  const editor = await bringIn(app, admin, 'editor@example.org', 'editor');
  assert.equal((await change(admin, editor, 'owner')).status, 403);
  assert.equal((await change(admin, editor, 'operator')).status, 400);
  const changed = await change(admin, editor, 'reader');
  assert.equal(changed.status, 200);
  assert.equal(changed.body.role, 'reader');
  assert.ok((await actionsOf(owner)).includes('user.role-changed'));
});

test('two owners who remove or demote each other at the same moment leave one of them', async (t) => {
  const app = await startApp(t);
  for (const how of ['remove', 'demote']) {
    const customer = await app.createCustomer();
    const one = await signIn(app, customer, 'owner');
    const other = await signIn(app, customer, 'owner');
    // Somebody who never came is no owner who could let anybody in again.
    assert.equal((await inviteAs(one, `${how}-to-be@example.org`, 'owner')).status, 201);
    const strike = (person: SignedIn, { userId }: SignedIn) =>
      how === 'remove'
        ? person.request('DELETE', `/app/api/team/${userId}`)
        : person.request('PATCH', `/app/api/team/${userId}`, { body: { role: 'admin' } });
    const both = await Promise.all([strike(one, other), strike(other, one)]);
    const statuses = both.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1, `${how}: ${statuses.join()}`);
    const survivor = statuses[0] === 200 ? one : other;
    const { body } = await survivor.request('GET', '/app/api/team');
    const active = body.data.filter(
      (member: { role: string; state: string }) => member.role === 'owner' && member.state === 'active',
    );
    assert.equal(active.length, 1);
  }
});

test('whoever is removed is out on every node within five seconds, with the keys they made', async (t) => {
  const app = await startApp(t);
  const beside = await startApp(t, { beside: app });
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const leaving = await signIn(app, customer, 'admin');
  const made = await leaving.request('POST', '/app/api/api_keys', {
    body: { name: 'theirs', mode: 'live', scopes: ['forms'] },
  });
  assert.equal(made.status, 201);
  const { key } = made.body as { key: string };
  const cookie = { headers: { cookie: leaving.cookie } };
  assert.equal((await beside.request('GET', '/app/api/team', cookie)).status, 200);
  assert.equal((await beside.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key })).status, 200);
  assert.equal((await owner.request('DELETE', `/app/api/team/${leaving.userId}`)).status, 200);
  const since = performance.now();
  await eventually(async () => {
    const page = await beside.request('GET', '/app/api/team', cookie);
    const call = await beside.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key });
    return page.status === 401 && call.status === 401;
  });
  assert.ok(performance.now() - since < 5_000);
  const { body } = await owner.request('GET', '/app/api/team');
  const gone = body.data.find((member: { id: string }) => member.id === leaving.userId);
  assert.equal(gone.state, 'removed');
  assert.equal(gone.keys, 0);
  assert.equal((await owner.request('DELETE', `/app/api/team/${leaving.userId}`)).status, 409);
  assert.equal((await inviteAs(owner, leaving.email, 'reader')).status, 201, 'they can be invited again');
  assert.equal((await inviteAs(owner, leaving.email, 'reader')).status, 409);
});

test('whoever is no admin any more loses the keys they made', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const admin = await signIn(app, customer, 'admin');
  const wanted = { name: 'theirs', mode: 'live', scopes: ['forms'] };
  const { key } = (await admin.request('POST', '/app/api/api_keys', { body: wanted })).body as { key: string };
  const call = () => app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key });
  assert.equal((await call()).status, 200);
  assert.equal((await change(owner, admin.userId, 'editor')).body.keys, 0);
  await eventually(async () => (await call()).status === 401);
  const { body } = await owner.request('GET', '/app/api/audit_log');
  const changed = body.data.find(({ action }: { action: string }) => action === 'user.role-changed');
  assert.deepEqual(changed.details, { from: 'admin', to: 'editor', keys: 1 });
});

test('an owner lets somebody who lost their factor enrol anew', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const admin = await signIn(app, customer, 'admin');
  assert.equal((await reset(admin, owner.userId)).status, 403);
  assert.equal((await reset(owner, admin.userId)).status, 200);
  await eventually(async () => (await admin.request('GET', '/app/api/team')).status === 401);
  const { body } = await owner.request('GET', '/app/api/team');
  assert.equal(body.data.find((member: { id: string }) => member.id === admin.userId).has_factor, false);
  assert.ok((await actionsOf(owner)).includes('user.factors-reset'));
});

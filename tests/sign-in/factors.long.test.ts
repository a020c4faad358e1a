import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resetFactors } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { codeOf } from '../support/people-session.ts';
import { createAuthenticator } from './authenticator.ts';
import { addAccount, openAccount, openBrowser, PASSWORD, type Visitor } from './visitor.ts';

const MINUTE = 60_000;
const STEP = 30_000;
const OWN = '/v1/email/webhook_endpoints';

const originOf = (app: TestApp) => new URL(app.installation.config.publicUrl).origin;

async function addPasskey(app: TestApp, visitor: Visitor, name = 'My laptop') {
  const authenticator = createAuthenticator(originOf(app));
  const { body: options } = await visitor.ask('POST', '/factors/passkeys/options');
  const reply = await visitor.ask('POST', '/factors/passkeys', { name, credential: authenticator.create(options) });
  return { authenticator, reply };
}

test('a passkey is enrolled as the first factor, and signs in from then on', async (t) => {
  const app = await startApp(t);
  const { email } = await addAccount(app, await app.createCustomer(), 'owner');
  const visitor = openBrowser(app);
  await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
  const { authenticator, reply } = await addPasskey(app, visitor);
  assert.deepEqual([reply.status, reply.body.state, reply.body.recovery_codes.length], [200, 'open', 10]);
  assert.equal((await visitor.ask('GET', OWN)).status, 200);

  const again = openBrowser(app);
  assert.equal((await again.ask('POST', '/sign_in', { email, password: PASSWORD })).body.state, 'factor');
  const { body: options } = await again.ask('POST', '/sign_in/passkey/options');
  assert.deepEqual(
    options.allowCredentials.map(({ id }: { id: string }) => id),
    [authenticator.credentialId],
  );
  const credential = authenticator.get(options);
  assert.equal((await again.ask('POST', '/sign_in/passkey', { credential })).status, 200);
  assert.equal((await again.ask('GET', OWN)).status, 200);
  const { body: listed } = await again.ask('GET', '/factors');
  assert.deepEqual([listed.totp, listed.passkeys[0].name, listed.recovery_codes], [false, 'My laptop', 10]);
  assert.notEqual(listed.passkeys[0].last_used_at, null);
});

test('a passkey answers one challenge, within five minutes, for this server, and never from a copy', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { visitor } = await openAccount(app, await app.createCustomer(), 'owner');
  const { authenticator } = await addPasskey(app, visitor);
  const ask = async () => (await visitor.ask('POST', '/step_up/passkey/options')).body;
  const show = async (credential: object) => (await visitor.ask('POST', '/step_up/passkey', { credential })).status;

  const options = await ask();
  assert.equal(await show(authenticator.get(options)), 200);
  assert.equal(await show(authenticator.get(options)), 400, 'a challenge a second time');
  assert.equal(await show(authenticator.get(await ask(), { origin: 'https://evil.example' })), 400, 'another origin');
  assert.equal(await show(authenticator.get(await ask(), { rpId: 'evil.example' })), 400, 'another server');
  const late = await ask();
  clock.advance(5 * MINUTE);
  assert.equal(await show(authenticator.get(late)), 400, 'too late');
  assert.equal(await show(authenticator.get(await ask())), 200);
  assert.equal(await show(createAuthenticator(originOf(app)).get(await ask())), 400, 'an unknown passkey');
  authenticator.rewind();
  assert.equal(await show(authenticator.get(await ask())), 400, 'a count that went back');
});

test('the last factor stays, and what removes or adds one takes a factor of late', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { visitor, secret, codes } = await openAccount(app, await app.createCustomer(), 'editor');
  assert.equal((await visitor.ask('DELETE', '/factors/totp')).status, 409);
  await addPasskey(app, visitor);
  const { passkeys } = (await visitor.ask('GET', '/factors')).body;
  clock.advance(10 * MINUTE);
  for (const [method, path] of [
    ['POST', '/factors/totp'],
    ['POST', '/factors/passkeys/options'],
    ['DELETE', '/factors/totp'],
    ['DELETE', `/factors/passkeys/${passkeys[0].id}`],
    ['POST', '/factors/recovery_codes'],
    ['POST', '/password'],
  ] as const) {
    const reply = await visitor.ask(
      method,
      path,
      path === '/password' ? { current: PASSWORD, password: 'x' } : undefined,
    );
    assert.deepEqual([reply.status, reply.headers.get('step-up')], [403, 'required'], path);
  }
  assert.equal((await visitor.ask('POST', '/step_up/totp', { code: codeOf(secret, clock.now()) })).status, 200);
  assert.equal((await visitor.ask('DELETE', '/factors/totp')).status, 200);
  assert.equal((await visitor.ask('DELETE', `/factors/passkeys/${passkeys[0].id}`)).status, 409);
  const { recovery_codes: anew } = (await visitor.ask('POST', '/factors/recovery_codes')).body;
  assert.equal(new Set([...codes, ...anew]).size, 20);
});

test('a new authenticator app takes the place of the one before once a code of it was shown', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { visitor, secret } = await openAccount(app, await app.createCustomer(), 'editor');
  const { body } = await visitor.ask('POST', '/factors/totp');
  assert.match(body.uri, /^otpauth:\/\/totp\/Carepost:/);
  assert.match(body.qr_svg, /^<svg /);
  clock.advance(STEP);
  assert.equal((await visitor.ask('POST', '/step_up/totp', { code: codeOf(secret, clock.now()) })).status, 200);
  const confirmed = await visitor.ask('POST', '/factors/totp/confirm', { code: codeOf(body.secret, clock.now()) });
  assert.deepEqual([confirmed.status, confirmed.body.recovery_codes], [200, null]);
  clock.advance(STEP);
  assert.equal((await visitor.ask('POST', '/step_up/totp', { code: codeOf(secret, clock.now()) })).status, 400);
  assert.equal((await visitor.ask('POST', '/step_up/totp', { code: codeOf(body.secret, clock.now()) })).status, 200);
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query(`select encode(secret, 'escape') as kept from user_totp`),
  );
  assert.ok(!rows[0].kept.includes(body.secret));
});

test('between the password and the second factor nobody adds another', async (t) => {
  const app = await startApp(t);
  const { email } = await openAccount(app, await app.createCustomer(), 'owner');
  const thief = openBrowser(app);
  await thief.ask('POST', '/sign_in', { email, password: PASSWORD });
  for (const path of ['/factors/totp', '/factors/passkeys/options', '/factors/recovery_codes']) {
    assert.equal((await thief.ask('POST', path)).status, 401, path);
  }
  assert.equal((await thief.ask('POST', '/factors/totp/confirm', { code: '123456' })).status, 401);
});

test('whose factors are reset enrols anew', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { visitor, email, userId, codes } = await openAccount(app, customer, 'owner');
  await resetFactors(app.installation, app.act(customer.id, 'user.factors-reset'), userId);
  const again = openBrowser(app);
  assert.equal((await again.ask('POST', '/sign_in', { email, password: PASSWORD })).body.state, 'enrol');
  assert.equal((await again.ask('POST', '/sign_in/recovery', { code: codes[0] })).status, 400);
  assert.equal((await visitor.ask('GET', '/session')).status, 200);
});

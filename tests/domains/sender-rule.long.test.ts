import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addList, addMailing } from '../mailings/mailing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { connectTo } from '../support/dialogue.ts';
import { createFakeDns, publishAll } from './fake-dns.ts';

const RULE = /^headers\.from: its domain is not verified for this customer/;
const dns = createFakeDns();
const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let id: string;
before(async (t) => {
  const env = { CAREPOST_DELIVERY: 'direct', CAREPOST_ROLES: 'http,smtp' };
  app = await startApp(t as TestContext, { clock, env, overrides: { domainDns: dns } });
  customer = await app.createCustomer();
  const { body } = await app.request('POST', '/v1/email/sending_domains', {
    key: customer.key,
    body: { domain: 'clinic.example' },
  });
  id = body.data.id;
  publishAll(dns, body.data);
  await check();
});

const check = (key = customer.key) => app.request('POST', `/v1/email/sending_domains/${id}/check`, { key });
const from = (address: string) => ({ recipients: ['ann@example.com'], headers: { from: address, subject: 'Hello' } });

const send = (address: string, key = customer.key, path = 'messages', more: object = {}) =>
  app.request('POST', `/v1/email/${path}`, { key, body: { data: { message: from(address), ...more } } });

test('live mail leaves only from domains of the customer, and from what lies in them', async () => {
  for (const address of ['a@clinic.example', 'Clinic <a@Mail.Ward.clinic.EXAMPLE>']) {
    assert.equal((await send(address)).status, 200, address);
  }
  for (const address of ['a@other.example', 'a@notclinic.example', 'a@clinic.example.org', 'a@example']) {
    const { status, body } = await send(address);
    if (address === 'a@example') assert.equal(status, 400);
    else {
      assert.equal(status, 422, address);
      assert.match(body.errors[0].details, RULE);
      assert.ok(!JSON.stringify(body).includes(address));
    }
  }
  const stranger = await app.createCustomer();
  assert.equal((await send('a@clinic.example', stranger.key)).status, 422);
  const { systemFrom } = app.installation.config;
  assert.equal((await send(systemFrom)).status, 422, 'nobody sends as the product itself');
});

test('a key for tests sends from any domain', async () => {
  const { key } = await app.createKey(customer, ['email'], { mode: 'test' });
  assert.equal((await send('a@other.example', key)).status, 200);
});

test('every way of sending asks', async () => {
  const template = { name: 'Hello', body: '<p>Hello</p>' };
  await app.request('POST', '/v1/email/dynamic_templates', { key: customer.key, body: template });
  const later = { scheduled_at: new Date(clock.now().getTime() + 3600_000).toISOString() };
  for (const [path, more] of [
    ['schedule', later],
    ['templated_messages', { template_name: 'Hello', template_values: null }],
  ] as const) {
    assert.equal((await send('a@clinic.example', undefined, path, more)).status, 200, path);
    const { status, body } = await send('a@other.example', undefined, path, more);
    assert.equal(status, 422, path);
    assert.match(body.errors[0].details, RULE);
  }
  const bulk = async (...addresses: string[]) =>
    app.request('POST', '/v1/email/bulk_messages', {
      key: customer.key,
      body: { data: { messages: addresses.map(from) } },
    });
  assert.equal((await bulk('a@clinic.example', 'b@clinic.example')).status, 200);
  const some = await bulk('a@clinic.example', 'b@other.example', 'c@clinic.example', 'd@other.example');
  assert.equal(some.status, 400);
  const details = some.body.errors[0].details;
  assert.match(details, /^messages\[1\]: headers\.from: .*; messages\[3\]: headers\.from: /);
  assert.equal((await bulk('b@other.example', 'no address')).status, 400);
});

/** The lines of a client that sends a message. */
const transaction = (address: string) =>
  `C: MAIL FROM:<a@clinic.example>\nS: 250\nC: RCPT TO:<ann@example.com>\nS: 250\nC: DATA\nS: 354\nC: From: ${address}\nC: Subject: Hello\nC: \nC: Hello\nC: .\n`;

test('SMTP answers 550 5.7.1 once the message is there', async () => {
  const client = await connectTo(app.smtp?.tlsPort ?? 0, { secure: true });
  const login = Buffer.from(`\0apikey\0${customer.key}`).toString('base64');
  await client.play(`S: 220\nC: EHLO x.example\nS: 250\nC: AUTH PLAIN ${login}\nS: 235`);
  await client.play(`${transaction('a@other.example')}S: 550 5.7.1 headers.from: its domain is not verified`);
  await client.play(`${transaction('a@clinic.example')}S: 250 2.0.0\nC: QUIT\nS: 221`);
  client.close();
});

test('a send of a mailing, its trial and a drip ask as well', async () => {
  const { key } = customer;
  const ask = (path: string, body?: object, method = 'POST') =>
    app.request(method, `/v1/marketing${path}`, { key, ...(body && { body }) });
  const list = await addList(app, customer, ['ann@example.com']);
  const [own, foreign] = [
    await addMailing(app, customer, { subject: 'Own', from: 'a@clinic.example' }),
    await addMailing(app, customer, { subject: 'Foreign', from: 'a@other.example' }),
  ];
  const sendFrom = (sender_email: string) =>
    ask('/campaign_mailing_sends', {
      campaign_mailing_id: own,
      campaign_mailing_send: { sender_email, subscription_list_id: list },
    });
  assert.equal((await sendFrom('a@clinic.example')).status, 200);
  const { status, body } = await sendFrom('a@other.example');
  assert.equal(status, 422);
  assert.match(body.error, /^campaign_mailing_send\.sender_email its domain is not verified/);
  const trial = await ask(`/campaign_mailings/${foreign}/send_test_email?to_email=b@example.com`, undefined, 'GET');
  assert.deepEqual([trial.status, Object.keys(trial.body.details)], [422, ['campaign_mailing.from']]);
  const drip = async (mailing: string) => {
    const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailing }];
    const made = await ask('/drip_campaigns', { drip_campaign: { name: 'A', subscription_list_id: list, steps } });
    return ask(`/drip_campaigns/${made.body.data.id}/start`);
  };
  assert.equal((await drip(own)).status, 200);
  const refused = await drip(foreign);
  assert.equal(refused.status, 422);
  assert.match(refused.body.error, /step hello: sender: its domain is not verified/);
});

const state = async () => (await check()).body.data.state;

test('a domain that fails sends no more within 5 seconds, and one that is whole again at once', async () => {
  dns.records.delete('TXT _carepost.clinic.example');
  for (let checks = 0; checks < 3; checks++, clock.advance(12 * 3600_000)) await check();
  assert.equal(await state(), 'failing');
  clock.advance(5_000);
  assert.equal((await send('a@clinic.example')).status, 422);
  const { body } = await app.request('GET', `/v1/email/sending_domains/${id}`, { key: customer.key });
  assert.equal(body.data.records[0].status, 'missing');
  publishAll(dns, body.data);
  assert.equal(await state(), 'verified');
  assert.equal((await send('a@clinic.example')).status, 200);
});

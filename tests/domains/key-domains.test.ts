import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addList, addMailing, addPerson, ask, startSend } from '../mailings/mailing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { connectTo } from '../support/dialogue.ts';

const RULE = /its domain is not among those that this key may send from/;
let app: TestApp;
let customer: TestCustomer;
let bound: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,smtp' } });
  customer = await app.createCustomer();
  const { key } = await app.createKey(customer, ['email', 'marketing'], { sendingDomains: ['clinic.example'] });
  bound = { ...customer, key };
});

const from = (address: string) => ({ recipients: ['ann@example.com'], headers: { from: address, subject: 'Hello' } });
const send = (address: string, { key } = bound) =>
  app.request('POST', '/v1/email/messages', { key, body: { data: { message: from(address) } } });

test('a key that names domains sends from these and what lies in them, in the sandbox too', async () => {
  for (const address of ['a@clinic.example', 'Clinic <a@Mail.CLINIC.example>']) {
    assert.equal((await send(address)).status, 200, address);
  }
  for (const address of ['a@other.example', 'a@notclinic.example', 'a@clinic.example.org']) {
    const { status, body } = await send(address);
    assert.equal(status, 422, address);
    assert.match(body.errors[0].details, RULE);
    assert.ok(!JSON.stringify(body).includes(address));
    assert.equal((await send(address, customer)).status, 200, 'a key that names none sends from all');
  }
});

test('of a batch the messages from elsewhere are named', async () => {
  const messages = ['a@clinic.example', 'b@other.example'].map(from);
  const { status, body } = await app.request('POST', '/v1/email/bulk_messages', {
    key: bound.key,
    body: { data: { messages } },
  });
  assert.equal(status, 400);
  assert.match(body.errors[0].details, /^messages\[1\]: headers\.from: its domain is not among/);
});

test('SMTP answers 550 5.7.1 once the message is there', async () => {
  const client = await connectTo(app.smtp?.tlsPort ?? 0, { secure: true });
  const login = Buffer.from(`\0apikey\0${bound.key}`).toString('base64');
  await client.play(`S: 220\nC: EHLO x.example\nS: 250\nC: AUTH PLAIN ${login}\nS: 235`);
  for (const [address, answer] of [
    ['a@other.example', '550 5.7.1 headers.from: its domain is not among'],
    ['a@clinic.example', '250 2.0.0'],
  ]) {
    await client.play('C: MAIL FROM:<a@clinic.example>\nS: 250\nC: RCPT TO:<ann@example.com>\nS: 250\nC: DATA\nS: 354');
    await client.play(`C: From: ${address}\nC: Subject: Hello\nC: \nC: Hello\nC: .\nS: ${answer}`);
  }
  client.close();
});

test('a send of a mailing, its trial and every way to let a drip mail ask as well', async () => {
  const call = (method: string, path: string, body?: object, { key } = bound) =>
    app.request(method, `/v1/marketing${path}`, { key, ...(body && { body }) });
  const list = await addList(app, customer, ['ann@example.com']);
  const mailing = await addMailing(app, customer, { from: 'a@other.example' });
  const wish = (sender_email: string) => ({
    campaign_mailing_id: mailing,
    campaign_mailing_send: { subscription_list_id: list, sender_email },
  });
  assert.equal((await call('POST', '/campaign_mailing_sends', wish('a@clinic.example'))).status, 200);
  const elsewhere = wish('a@other.example');
  const send_at = new Date(Date.now() + 3600_000).toISOString();
  const refusals = [
    await call('POST', '/campaign_mailing_sends', elsewhere),
    await call('POST', '/campaign_mailing_schedules', { ...elsewhere, send_at }),
    await call('GET', `/campaign_mailings/${mailing}/send_test_email?to_email=b@example.com`),
    await call('POST', `/campaign_mailings/${mailing}/send_test_email`, { to_email: 'b@example.com' }),
  ];
  const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailing }];
  const drip_campaign = { name: 'Newcomers', subscription_list_id: list, steps };
  const { id } = (await ask(app, customer, 'POST', '/drip_campaigns', { drip_campaign })).body.data;
  refusals.push(await call('POST', `/drip_campaigns/${id}/start`));
  await ask(app, customer, 'POST', `/drip_campaigns/${id}/start`);
  const changed = [...steps, { id: 'again', type: 'email', campaign_mailing_id: mailing }];
  refusals.push(await call('PATCH', `/drip_campaigns/${id}`, { drip_campaign: { steps: changed } }));
  const withoutPublishing = { drip_campaign: { steps: changed, publish_share: 0 } };
  await ask(app, customer, 'PATCH', `/drip_campaigns/${id}`, withoutPublishing);
  refusals.push(await call('POST', `/drip_campaigns/${id}/publish`, { version: 2, share: 100 }));
  refusals.push(await call('POST', `/drip_campaigns/${id}/move`, { from_version: 1, to_version: 2 }));
  await ask(app, customer, 'POST', `/drip_campaigns/${id}/pause`);
  refusals.push(await call('POST', `/drip_campaigns/${id}/resume`));
  refusals.push(await call('POST', `/drip_campaigns/${id}/start`, { enroll_existing: true }));
  for (const [index, { status, body }] of refusals.entries()) {
    assert.equal(status, 422, `${index}: ${JSON.stringify(body)}`);
    assert.match(body.error, RULE);
  }
});

test('what another key has begun is neither resumed nor decided on nor entered', async () => {
  const call = (path: string, body?: object, { key } = bound) =>
    app.request('POST', `/v1/marketing${path}`, { key, ...(body && { body }) });
  const list = await addList(app, customer, []);
  const person = await addPerson(app, customer, { email: 'cid@example.com' }, list);
  const mailing = await addMailing(app, customer, { from: 'a@other.example' });
  const paused = await startSend(app, customer, mailing, { subscription_list_id: list });
  assert.equal((await call(`/campaign_mailing_sends/${paused}/pause`)).status, 200, 'nothing leaves by that');
  const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailing }];
  const drip_campaign = { name: 'By hand', subscription_list_id: list, start_trigger: 'manual', steps };
  const { id } = (await ask(app, customer, 'POST', '/drip_campaigns', { drip_campaign })).body.data;
  await ask(app, customer, 'POST', `/drip_campaigns/${id}/start`);
  const acts: [string, object?][] = [
    [`/campaign_mailing_sends/${paused}/decide`, { decision: 'resend' }],
    [`/campaign_mailing_sends/${paused}/resume`],
    [`/drip_campaigns/${id}/enrollments`, { subscriber_ids: [person] }],
    [`/drip_campaigns/${id}/enrollments`, { subscription_list_id: list }],
  ];
  for (const [path, body] of acts) {
    const refused = await call(path, body);
    assert.equal(refused.status, 422, `${path}: ${refused.text}`);
    assert.match(refused.body.error, RULE);
  }
  for (const [path, body] of acts) assert.equal((await call(path, body, customer)).status, 200, path);
});

test('a message that another key has scheduled is not moved, and may be taken back', async () => {
  const scheduled_at = new Date(Date.now() + 3600_000).toISOString();
  const schedule = async (address: string) => {
    const body = { data: { message: from(address), scheduled_at } };
    const reply = await app.request('POST', '/v1/email/schedule', { key: customer.key, body });
    return `/v1/email/schedule/${reply.body.sourceTrackingId}`;
  };
  const move = (path: string, { key } = bound) => app.request('PATCH', path, { key, body: { scheduled_at } });
  const elsewhere = await schedule('a@other.example');
  const { status, body } = await move(elsewhere);
  assert.equal(status, 422);
  assert.match(body.errors[0].details, RULE);
  assert.equal((await move(elsewhere, customer)).status, 200);
  assert.equal((await move(await schedule('a@clinic.example'))).status, 200);
  assert.equal((await app.request('POST', `${elsewhere}/cancel`, { key: bound.key })).status, 200);
});

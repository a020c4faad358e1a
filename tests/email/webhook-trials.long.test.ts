import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import {
  attemptsAt,
  createHook,
  deliveriesOf,
  type Hook,
  type Received,
  startReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const DELIVERED = 'api_mail_log_delivered';
const OPENED = 'api_mail_log_opened';
const SUBMITTED = 'forms.submission.created';
const SEQUENCE = 'carepost-sequence';

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
});

interface Setup {
  key: string;
  receiver: WebhookReceiver;
  hook: Hook;
}

async function prepare(t: TestContext, events: string[]): Promise<Setup> {
  const { key } = await app.createCustomer();
  const receiver = await startReceiver(t);
  return { key, receiver, hook: await createHook(app, key, { url: receiver.url, events }) };
}

function ask({ key, hook }: Setup, what: string, body: unknown) {
  return app.request('POST', `/v1/webhooks/endpoints/${hook.uuid}/${what}`, { key, body });
}

test('a test goes the way of every event, says that it is one and tells of nobody', async (t) => {
  const setup = await prepare(t, [DELIVERED, SUBMITTED]);
  const { receiver, hook, key } = setup;
  const first = await ask(setup, 'test', {});
  assert.equal(first.status, 200, first.text);
  await receiver.atLeast(1);
  const bare = await app.request('POST', `/v1/webhooks/endpoints/${hook.uuid}/test`, { key });
  assert.equal(bare.status, 200, bare.text);
  await receiver.atLeast(2);
  const second = await ask(setup, 'test', { event_name: SUBMITTED });
  const [mail, , form] = (await receiver.atLeast(3)) as [Received, Received, Received];

  new Webhook(hook.secret).verify(mail.raw, mail.headers as Record<string, string>);
  assert.equal(mail.headers['webhook-id'], first.body.data.delivery_id);
  assert.deepEqual([mail.body.event_name, mail.body.test, mail.headers[SEQUENCE]], [DELIVERED, true, '1']);
  assert.equal(mail.body.payload.time, clock.now().toISOString());
  assert.match(mail.body.payload.to, /@example\.com$/);
  assert.deepEqual([form.body.event_name, form.body.test, form.headers[SEQUENCE]], [SUBMITTED, true, '3']);
  assert.deepEqual(Object.keys(form.body.payload).toSorted(), ['form_id', 'submission_id', 'time']);

  const { body } = await app.request('GET', `/v1/webhooks/endpoints/${hook.uuid}/deliveries`, { key });
  assert.deepEqual(
    body.data.map(({ id, test: isTest }: { id: string; test: boolean }) => [id, isTest]),
    [
      [second.body.data.delivery_id, true],
      [bare.body.data.delivery_id, true],
      [first.body.data.delivery_id, true],
    ],
  );
});

test('a change that names no credentials leaves those that are there', async (t) => {
  const { key } = await app.createCustomer();
  const receiver = await startReceiver(t);
  const api_key = 'receivers-own-key';
  const hook = await createHook(app, key, { url: receiver.url, events: [DELIVERED], api_key });
  const path = `/v1/email/webhook_endpoints/${hook.id}`;
  const changes = [
    { body: { target_url: receiver.url, events: [DELIVERED], api_key: null, signing_key: null } },
    { raw: 'api_key=&signing_key=', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ];
  for (const change of changes) assert.equal((await app.request('PATCH', path, { key, ...change })).status, 200);
  await ask({ key, receiver, hook }, 'test', {});
  const [{ headers, raw }] = (await receiver.atLeast(1)) as [Received];
  assert.equal(headers.authorization, `Bearer ${api_key}`);
  new Webhook(hook.secret).verify(raw, headers as Record<string, string>);
});

test('a test has the parts of a real event, and a real event does not look like a test', async (t) => {
  const setup = await prepare(t, [DELIVERED]);
  await ask(setup, 'test', {});
  await setup.receiver.atLeast(1);
  await send(app, setup.key, messageTo('patient@example.net'));
  const [trial, real] = (await setup.receiver.atLeast(2)) as [Received, Received];
  assert.deepEqual(Object.keys(trial.body.payload), Object.keys(real.body.payload));
  assert.deepEqual(Object.keys(real.body), ['event_name', 'payload']);
  const [, logged] = await deliveriesOf(app, setup.key, setup.hook);
  assert.equal((logged as unknown as { test: boolean }).test, false);
});

test('what cannot be tested is refused, and nothing is queued', async (t) => {
  const setup = await prepare(t, [DELIVERED]);
  for (const event_name of [OPENED, SUBMITTED, 'nothing']) {
    const { status, body } = await ask(setup, 'test', { event_name });
    assert.equal(status, 422);
    assert.equal(body.message, 'event_name: takes one of the events of the endpoint');
  }
  const path = `/v1/webhooks/endpoints/${setup.hook.uuid}`;
  await app.request('PATCH', path, { key: setup.key, body: { status: 'disabled' } });
  assert.equal((await ask(setup, 'test', {})).status, 409);
  assert.deepEqual(await deliveriesOf(app, setup.key, setup.hook), []);
});

test('a replay tries at once what was refused and waits, and leaves alone what is under way', async (t) => {
  const setup = await prepare(t, [DELIVERED]);
  const { receiver, hook, key } = setup;
  receiver.answer({ status: 500 });
  await ask(setup, 'test', {});
  const [waiting] = await eventually(async () => {
    const log = await deliveriesOf(app, key, hook);
    const attempts = log[0] === undefined ? [] : await attemptsAt(app, key, hook, log[0].id);
    return typeof attempts[0]?.finished_at === 'string' && log;
  });
  assert.ok(waiting);
  assert.equal(waiting.state, 'pending');
  const replay = async () => (await ask(setup, 'replay', { delivery_id: waiting.id })).body.data.replayed;

  receiver.answer('hang');
  assert.equal(await replay(), 1);
  await receiver.atLeast(2);
  assert.equal(await replay(), 0, 'it is under way');
  assert.equal(receiver.received.length, 2);
  receiver.answer({ status: 204 });
  receiver.release();
  await eventually(async () => {
    const [, second] = await attemptsAt(app, key, hook, waiting.id);
    return typeof second?.finished_at === 'string';
  });
  assert.equal(await replay(), 1);
  await eventually(async () => (await deliveriesOf(app, key, hook))[0]?.state === 'delivered');
  assert.equal(new Set(receiver.received.map(({ raw }) => raw)).size, 1, 'the same bytes');
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { base64 } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { connectTo } from '../support/dialogue.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { messageTo } from '../support/mail.ts';
import { createHook, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PLANTED = `planted-${randomUUID()}`;
let app: TestApp;
let customer: TestCustomer;
let receiver: WebhookReceiver;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,smtp,worker' } });
  customer = await app.createCustomer();
  receiver = await startReceiver(t as TestContext);
  await createHook(app, customer.key, { url: receiver.url, events: ['api_mail_log_delivered'] });
});

type Line = Record<string, unknown> & { msg: string };

/** The lines of the log in which a word stands. */
function linesWith(word: string): Line[] {
  const lines = app.logged().split('\n');
  return lines.filter((line) => line.includes(word)).map((line) => JSON.parse(line) as Line);
}

/** The story of a message, once it has come to its end. */
function storyOf(messageId: string): Promise<Line[]> {
  return eventually(async () => {
    const lines = linesWith(messageId);
    return lines.some(({ msg }) => msg === 'webhook called') && lines;
  });
}

/** What happened, in the order in which it is told: an attempt is settled before its webhook is called. */
const told = (lines: Line[]) => lines.map(({ msg }) => msg);
const STORY = ['message accepted', 'delivery attempted', 'webhook called'];

function send(headers: Record<string, string> = {}) {
  const message = messageTo(`${PLANTED}@example.com`, { content: { 'text/plain': PLANTED } });
  return app.request('POST', '/v1/email/messages', { key: customer.key, headers, body: { data: { message } } });
}

const auditOf = (requestId: string) =>
  app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('audit_log').select(['action', 'target']).where('request_id', '=', requestId).execute(),
  );

test('a message over HTTP can be followed from the request to the webhook', async () => {
  const requestId = randomUUID();
  const reply = await send({ 'x-request-id': requestId });
  assert.equal(reply.headers.get('x-request-id'), requestId);
  const messageId = reply.body.sourceTrackingId;
  const story = await storyOf(messageId);
  assert.deepEqual(told(story), STORY);
  assert.equal(story[0]?.requestId, requestId);
  assert.equal(story[1]?.outcome, 'delivered');
  assert.deepEqual(told(linesWith(requestId)), ['message accepted', 'answered']);
  assert.deepEqual(await auditOf(requestId), [{ action: 'message.accepted', target: messageId }]);
  assert.ok(!app.logged().includes(PLANTED));
});

test('a message over SMTP can be followed from its session to the webhook', async (t) => {
  const client = await connectTo(app.smtp?.tlsPort as number, { secure: true });
  t.after(() => client.close());
  await client.play(
    `S: 220\nC: EHLO client.test\nS: 250\nC: AUTH PLAIN ${base64(`\0apikey\0${customer.key}`)}\nS: 235`,
  );
  await client.play(`C: MAIL FROM:<${PLANTED}@sender.test>\nS: 250\nC: RCPT TO:<${PLANTED}@example.com>\nS: 250`);
  await client.play('C: DATA\nS: 354');
  client.send(`From: ${PLANTED}@sender.test\r\nSubject: ${PLANTED}\r\n\r\n${PLANTED}\r\n.\r\n`);
  const [, messageId] = /^250 2\.0\.0 queued as (\S+)\r\n$/.exec((await client.reply()) ?? '') ?? [];
  assert.match(messageId ?? '', UUID);
  const story = await storyOf(messageId as string);
  assert.deepEqual(told(story), STORY);
  const { requestId } = story[0] as Line;
  const [accepted, answered] = linesWith(String(requestId));
  assert.equal(accepted?.messageId, messageId);
  assert.deepEqual([answered?.msg, answered?.code], ['message answered', 250]);
  assert.match(String(answered?.sessionId), UUID);
  assert.deepEqual(await auditOf(String(requestId)), [{ action: 'message.accepted', target: messageId }]);
  assert.ok(!app.logged().includes(PLANTED));
});

test('what goes wrong with a message is told without being asked for, with its code', async () => {
  receiver.answer({ status: 500 });
  const { body } = await send();
  const story = await storyOf(body.sourceTrackingId);
  const { level, outcome } = story.at(-1) as Line;
  assert.deepEqual([level, outcome], ['info', 'refused']);
  receiver.answer({ status: 204 });
});

test('the lines of a side job bear the id of the request that asked for it', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const path = `/v1/forms/api/forms/${formId}/export_jobs`;
  const { status, headers, text } = await app.request('POST', path, { key: customer.key, body: { format: 'csv' } });
  assert.ok(status < 300, text);
  const requestId = headers.get('x-request-id') as string;
  const done = await eventually(async () => linesWith(requestId).find(({ msg }) => msg === 'job done'));
  assert.equal(done.task, 'forms.export');
});

test('an id that could say something is not taken over', async () => {
  for (const given of [PLANTED, 'jane-doe-1980', `${randomUUID()}; x`, '']) {
    const { headers } = await send({ 'x-request-id': given });
    assert.match(headers.get('x-request-id') ?? '', UUID);
  }
  const bare = randomUUID().replaceAll('-', '').toUpperCase();
  const { headers } = await send({ 'x-request-id': bare });
  assert.equal(headers.get('x-request-id')?.replaceAll('-', '').toUpperCase(), bare);
});

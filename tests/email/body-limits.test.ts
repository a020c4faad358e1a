import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Client, connectTo } from '../support/dialogue.ts';
import { messageTo } from '../support/mail.ts';

const MOST = 5 * 2 ** 20;
const FORMS = ['text/plain', 'text/html'] as const;

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,smtp' } });
  customer = await app.createCustomer();
});

/** A text of so many bytes, half as many characters and lines that every server takes. */
function textOf(bytes: number): string {
  const line = `${'ü'.repeat(49)}\r\n`;
  const lines = line.repeat(Math.floor(bytes / 100));
  return `${lines}${'x'.repeat(bytes % 100)}`;
}

const send = (message: Record<string, unknown>) =>
  app.request('POST', '/v1/email/messages', { key: customer.key, body: { data: { message } } });
const withContent = (content: object) => messageTo('ann@example.com', { content });

test('text and HTML take 5 MB each over HTTP, and one byte more names the field', async () => {
  for (const form of FORMS) {
    for (const bytes of [MOST - 1, MOST])
      assert.equal((await send(withContent({ [form]: textOf(bytes) }))).status, 200, `${form} of ${bytes} bytes`);
    for (const bytes of [MOST + 1, 3 * MOST]) {
      const { status, body } = await send(withContent({ [form]: textOf(bytes) }));
      assert.equal(status, 400, `${form} of ${bytes} bytes`);
      assert.equal(body.errors[0].details, `content.${form}: takes at most 5 MB`);
    }
  }
  assert.equal((await send(withContent({ 'text/plain': textOf(MOST), 'text/html': textOf(MOST) }))).status, 200);
});

const encoded = (bytes: number) => Buffer.from(textOf(bytes)).toString('base64').replace(/.{76}/g, '$&\n');

test('HTML as base64 counts as it was meant', async () => {
  assert.equal((await send(withContent({ 'text/html': encoded(MOST) }))).status, 200);
  for (const bytes of [MOST + 1, 3 * MOST]) {
    const { status, body } = await send(withContent({ 'text/html': encoded(bytes) }));
    assert.equal(status, 400);
    assert.equal(body.errors[0].details, 'content.text/html: takes at most 5 MB');
  }
});

test('of a batch the message that says too much is named', async () => {
  const messages = [messageTo('ann@example.com'), withContent({ 'text/plain': textOf(MOST + 1) })];
  const { status, body } = await app.request('POST', '/v1/email/bulk_messages', {
    key: customer.key,
    body: { data: { messages } },
  });
  assert.equal(status, 400);
  assert.equal(body.errors[0].details, 'messages[1]: content.text/plain: takes at most 5 MB');
});

async function signedIn(t: TestContext): Promise<Client> {
  const client = await connectTo(app.smtp?.tlsPort ?? 0, { secure: true });
  t.after(() => client.close());
  const login = Buffer.from(`\0apikey\0${customer.key}`).toString('base64');
  await client.play(`S: 220\nC: EHLO x.example\nS: 250\nC: AUTH PLAIN ${login}\nS: 235`);
  return client;
}

// The line end before the dot is part of the text.
const alone = (form: string, bytes: number) => `Content-Type: ${form}; charset=utf-8\r\n\r\n${textOf(bytes - 2)}`;

test('text and HTML take 5 MB each by SMTP, and one byte more names which', async (t) => {
  const client = await signedIn(t);
  const hand = async (mime: string) => {
    await client.play('C: MAIL FROM:<a@b.example>\nS: 250\nC: RCPT TO:<ann@example.com>\nS: 250\nC: DATA\nS: 354');
    client.send(`From: a@b.example\r\nMIME-Version: 1.0\r\n${mime}\r\n.\r\n`);
    return client.reply();
  };
  for (const form of FORMS) {
    for (const bytes of [MOST - 1, MOST]) assert.match((await hand(alone(form, bytes))) ?? '', /^250 2\.0\.0/);
    for (const bytes of [MOST + 1, 3 * MOST])
      assert.equal(await hand(alone(form, bytes)), `554 5.6.0 ${form}: takes at most 5 MB\r\n`);
  }
  const both = FORMS.map((form) => `--b\r\nContent-Type: ${form}; charset=utf-8\r\n\r\n${textOf(MOST)}\r\n`);
  const alternative = `Content-Type: multipart/alternative; boundary=b\r\n\r\n${both.join('')}--b--`;
  assert.match((await hand(alternative)) ?? '', /^250 2\.0\.0/);
});

/** What is wrong with a message, where anything is. */
const details = async (more: object) =>
  (await send({ ...messageTo('ann@example.com'), ...more })).body.errors?.[0].details;
const same = (count: number) => Array.from({ length: count }, () => 'ann@example.com');
const long = (characters: number) => `${'x'.repeat(characters - 18)} <ann@example.com>`;

test('recipients are counted before any of them is read', async () => {
  assert.equal(await details({ recipients: same(1_000) }), undefined, 'whoever is named twice is one');
  const tooMany = 'recipients: takes at most 100 addresses with cc and bcc';
  assert.equal(await details({ recipients: same(1_001) }), tooMany);
  assert.equal(await details({ recipients: same(1), cc: same(500), bcc: same(500) }), tooMany);
  assert.equal(await details({ recipients: Array.from({ length: 200_000 }, () => 'no address') }), tooMany);
  assert.equal(await details({ recipients: [long(100_000)], cc: [long(162_144)] }), undefined);
  assert.equal(
    await details({ recipients: [long(100_000)], cc: [long(162_145)] }),
    'recipients: take at most 256 KB in all with cc and bcc',
  );
});

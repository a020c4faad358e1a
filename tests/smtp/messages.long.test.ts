import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { SubmissionDeps } from '../../src/email/submission/smtp/server.ts';
import { AppError } from '../../src/platform/errors.ts';
import { type Door, MESSAGE, sendData, startDoor } from './submission-server.ts';

async function sendWithNodemailer(door: Door, mail: SendMailOptions, { secure = false } = {}): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: secure ? door.tlsPort : door.port,
    secure,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'apikey', pass: door.customer.key },
  });
  const { response } = (await transport.sendMail(mail)) as { response: string };
  transport.close();
  return response;
}

test('what nodemailer sends arrives whole: names, texts, copies, files, headers', async (t) => {
  const door = await startDoor(t);
  const file = Buffer.alloc(700_000, 'a b c \0 \xff', 'latin1');
  const response = await sendWithNodemailer(door, {
    from: '"Ärztin, Dr. Lee" <lee@sender.test>',
    to: ['"Ann Ä" <ann@example.com>', 'bob@example.com'],
    cc: 'Cy <cy@example.com>',
    bcc: 'dee@example.com',
    replyTo: 'desk@sender.test',
    subject: 'Befund für Sie – ✓',
    text: 'Grüße\n.\n..\nvon hier',
    html: '<p>Grüße <img src="cid:logo"></p>',
    headers: {
      'X-Case': 'Fäll 7',
      'X-Mailer': 'test',
      'List-Unsubscribe': '<https://sender.test/u>',
      Precedence: 'bulk',
    },
    inReplyTo: '<first@sender.test>',
    attachments: [
      { filename: 'Bericht über alles.pdf', content: file, contentType: 'application/pdf' },
      { filename: 'logo.png', content: 'PNG', cid: 'logo', contentType: 'image/png', contentDisposition: 'inline' },
    ],
  });
  assert.match(response, /^250 2\.0\.0 queued as [0-9a-f-]{36}$/);
  const [message] = door.accepted;
  assert.deepEqual(message?.from, { name: 'Ärztin, Dr. Lee', address: 'lee@sender.test' });
  assert.deepEqual(message?.replyTo, [{ name: null, address: 'desk@sender.test' }]);
  assert.equal(message?.subject, 'Befund für Sie – ✓');
  assert.deepEqual(message?.recipients, [
    { kind: 'to', name: 'Ann Ä', address: 'ann@example.com' },
    { kind: 'to', name: null, address: 'bob@example.com' },
    { kind: 'cc', name: 'Cy', address: 'cy@example.com' },
    { kind: 'bcc', name: null, address: 'dee@example.com' },
  ]);
  assert.equal(message?.text, 'Grüße\r\n.\r\n..\r\nvon hier');
  assert.equal(message?.html, '<p>Grüße <img src="cid:logo"></p>');
  assert.deepEqual(message?.headers, {
    'X-Case': 'Fäll 7',
    'X-Mailer': 'test',
    'List-Unsubscribe': '<https://sender.test/u>',
    'In-Reply-To': '<first@sender.test>',
  });
  const [logo, pdf] = message?.attachments.toSorted((a, b) => a.content.length - b.content.length) ?? [];
  assert.equal(pdf?.fileName, 'Bericht über alles.pdf');
  assert.equal(pdf?.contentType, 'application/pdf');
  assert.equal(pdf?.inline, false);
  assert.ok(pdf?.content.equals(file));
  assert.deepEqual(
    { ...logo, content: logo?.content.toString() },
    { fileName: 'logo.png', contentType: 'image/png', content: 'PNG', contentId: 'logo', inline: true },
  );
});

test('over TLS from the start too, with text alone and HTML alone', async (t) => {
  const door = await startDoor(t);
  const mail = { from: 'lee@sender.test', to: 'ann@example.com', subject: '' };
  await sendWithNodemailer(door, { ...mail, text: 'only text' }, { secure: true });
  await sendWithNodemailer(door, { ...mail, html: '<b>only HTML</b>' }, { secure: true });
  const bodies = door.accepted.map(({ text, html, subject }) => ({ text: text?.trim(), html: html?.trim(), subject }));
  assert.deepEqual(bodies, [
    { text: 'only text', html: undefined, subject: '' },
    { text: undefined, html: '<b>only HTML</b>', subject: '' },
  ]);
});

test('the envelope alone decides who gets a message', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  const head = 'From: a@sender.test\r\nTo: Ann <ANN@example.com>, team: Bob <bob@example.com>;\r\nCc: cy@example.com';
  assert.match(
    await sendData(client, `${head}\r\n\r\nx\r\n`, ['ann@example.com', 'bob@example.com', 'z@example.com']),
    /^250/,
  );
  assert.deepEqual(door.accepted[0]?.recipients, [
    { kind: 'to', name: 'Ann', address: 'ann@example.com' },
    { kind: 'to', name: 'Bob', address: 'bob@example.com' },
    { kind: 'bcc', name: null, address: 'z@example.com' },
  ]);
});

test('a template is chosen by headers that do not travel on', async (t) => {
  const calls: unknown[] = [];
  const applyTemplate: SubmissionDeps['applyTemplate'] = async (customerId, message, template) => {
    calls.push({ customerId, template });
    const { name } = template.template as { name: string };
    if (name === 'gone') throw new AppError('not_found', 'template_id: no such template');
    if (name === 'foreign') throw new AppError('forbidden', 'template_id: belongs to another customer');
    return { ...message, html: `rendered ${String(template.variables.name)}` };
  };
  const door = await startDoor(t, { applyTemplate });
  const client = await door.signedIn();
  const send = (headers: string) => sendData(client, `${headers}\r\n${MESSAGE}`);
  assert.match(await send('X-Template-Id: welcome\r\nX-Template-Variables: {"name":\r\n "Ann"}\r\nX-Kept: 1'), /^250/);
  assert.equal(door.accepted[0]?.html, 'rendered Ann');
  assert.deepEqual(door.accepted[0]?.headers, { 'X-Kept': '1' });
  assert.deepEqual(calls, [
    { customerId: door.customer.id, template: { template: { name: 'welcome' }, variables: { name: 'Ann' } } },
  ]);
  assert.match(await send('X-Template-Id: gone'), /^554 5\.6\.0 template_id: no such template/);
  assert.match(await send('X-Template-Id: foreign'), /^550 5\.7\.1/);
  for (const bad of ['{', '[1]', '7', '"x"']) {
    assert.match(await send(`X-Template-Id: welcome\r\nX-Template-Variables: ${bad}`), /^554 5\.6\.0/);
  }
  assert.equal(door.accepted.length, 1);
});

test('a repeat under the same Idempotency-Key gets the same id, another message under it is refused', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  const keyed = (data: string, key = 'once') => sendData(client, `Idempotency-Key: ${key}\r\n${data}`);
  const first = await keyed(MESSAGE);
  assert.match(first, /^250 2\.0\.0 queued as/);
  assert.equal(await keyed(MESSAGE), first);
  const others = [MESSAGE.replace('body', 'other'), `X-Template-Id: 1\r\n${MESSAGE}`];
  for (const other of others) assert.match(await keyed(other), /^554 5\.5\.0/);
  assert.notEqual(await keyed(MESSAGE, 'twice'), first);
  assert.match(await keyed(MESSAGE, 'k'.repeat(256)), /^554 5\.6\.0 Idempotency-Key/);
  assert.deepEqual(
    door.accepted.map(({ headers }) => headers),
    [{}, {}],
  );
  const rows = await door.app.installation.db.tenant([door.customer.id], (tx) =>
    tx.selectFrom('messages').select('id').where('customer_id', '=', door.customer.id).execute(),
  );
  assert.equal(rows.length, 2);
});

test('another file of the same size under the same Idempotency-Key is another message', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  const sendFile = (content: string) =>
    sendData(
      client,
      `Idempotency-Key: k\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment\r\n${MESSAGE.replace('body', content)}`,
    );
  const first = await sendFile('1;2;3');
  assert.match(first, /^250/);
  assert.equal(await sendFile('1;2;3'), first);
  assert.match(await sendFile('1;2;4'), /^554 5\.5\.0/);
  assert.equal(door.accepted[0]?.attachments.length, 1);
});

test('two connections that send the same key at once bring one message in', async (t) => {
  const door = await startDoor(t);
  const clients = await Promise.all(Array.from({ length: 8 }, () => door.signedIn()));
  const replies = await Promise.all(clients.map((client) => sendData(client, `Idempotency-Key: k\r\n${MESSAGE}`)));
  assert.equal(new Set(replies).size, 1);
  assert.match(replies[0] ?? '', /^250/);
  assert.equal(door.accepted.length, 1);
});

test('a refusal under a key is remembered as well', async (t) => {
  let exists = false;
  const applyTemplate: SubmissionDeps['applyTemplate'] = async (_customerId, message) => {
    if (!exists) throw new AppError('not_found', 'template_id: no such template');
    return message;
  };
  const door = await startDoor(t, { applyTemplate });
  const client = await door.signedIn();
  const data = `Idempotency-Key: k\r\nX-Template-Id: 1\r\n${MESSAGE}`;
  const first = await sendData(client, data);
  assert.match(first, /^554 5\.6\.0 template_id/);
  exists = true;
  assert.equal(await sendData(client, data), first);
});

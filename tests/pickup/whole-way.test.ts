import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import type { TestCustomer } from '../support/app.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';
import { comeIn, lastCode, linkIn, type Office, openOffice, visit } from './visitor.ts';

let office: Office;
let customer: TestCustomer;

before(async (context) => {
  office = await openOffice(context as TestContext);
  customer = await office.app.createCustomer();
});

async function statusOf(id: string) {
  const { body } = await receiptOf(office.app, customer.key, id);
  return body.data.message.message_deliveries[0].status;
}

async function actsOf(id: string): Promise<unknown[]> {
  const rows = await office.query(
    `select actor_kind || ' ' || action as act from audit_log where target = $1 and actor_kind in ('recipient', 'public', 'worker')
     order by xact`,
    [id],
  );
  return rows.map(({ act }) => act);
}

test('a notice names the address of the sender and holds nothing of the message', async () => {
  const planted = Array.from({ length: 6 }, () => `w${randomUUID()}`);
  const [subject, name, text, header, file, sender] = planted;
  const message = messageTo(`${name} <ann@example.com>`, {
    headers: { from: `${sender} <clinic@example.org>`, subject, 'reply-to': 'desk@example.org', 'X-Ward': header },
    content: { 'text/plain': text },
    attachments: [{ fileName: file, content: Buffer.from(file as string).toString('base64') }],
  });
  const id = await send(office.app, customer.key, message);
  const notice = await office.notice(customer, id);
  assert.deepEqual(notice.from, { name: '', address: 'clinic@example.org' });
  assert.deepEqual(notice.to, [{ name: '', address: 'ann@example.com' }]);
  assert.equal(notice.subject, 'You have a secure message');
  const headers = new Map(notice.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers.get('auto-submitted'), 'auto-generated');
  assert.equal(headers.has('reply-to'), false);
  assert.match(notice.messageId ?? '', /^<[\w-]{36}@example\.org>$/);
  assert.ok(!notice.messageId?.includes(id));
  assert.ok(notice.text?.includes('example.org has sent you a secure message'));
  const whole = JSON.stringify([notice.headers, notice.text, notice.html]);
  for (const each of planted) assert.ok(!whole.includes(each));

  const again = await Promise.all([office.notice(customer, id), office.notice(customer, id)]);
  for (const other of again) {
    assert.equal(other.messageId, notice.messageId);
    assert.equal(linkIn(other), linkIn(notice));
  }
  assert.deepEqual(await actsOf(id), ['worker pickup.made']);
});

test('notices that are asked for at the same moment have the same link', async () => {
  const id = await send(office.app, customer.key, messageTo('ann@example.com'));
  const links = await Promise.all(Array.from({ length: 4 }, async () => linkIn(await office.notice(customer, id))));
  assert.equal(new Set(links).size, 1);
});

test('a message is read with a code from the same mailbox, and is then delivered', async () => {
  const address = 'bea@example.com';
  const large = randomBytes(300_000);
  const { id, path } = await office.leave(
    customer,
    messageTo(`Bea <${address}>`, {
      headers: { from: 'Dr. Who <clinic@example.org>', subject: 'Your <results>' },
      content: { 'text/plain': 'All is <well>.\nSee you.' },
      attachments: [
        { fileName: 'small ü.txt', contentType: 'text/html', content: Buffer.from('<b>small</b>').toString('base64') },
        { fileName: 'large.bin', content: large.toString('base64') },
      ],
    }),
  );
  assert.deepEqual(await statusOf(id), {
    deliveryStatus: 'TLS not offered, sending via Secure Portal',
    openedStatus: 'not opened',
  });
  const log = async (query: string) =>
    (await office.app.request('GET', `/v1/email/message_log?${query}`, { key: customer.key })).body.data;
  assert.ok(
    (await log(`state=processing&to=${address}`)).some(
      (each: { sourceTrackingId: string }) => each.sourceTrackingId === id,
    ),
  );

  const visitor = visit(office, path);
  const entrance = await visitor.get();
  assert.equal(entrance.status, 200);
  assert.ok(entrance.text.includes('<strong>example.org</strong>') && entrance.text.includes('Send me a code'));
  for (const hidden of ['results', 'well', 'Bea', address, 'large.bin']) assert.ok(!entrance.text.includes(hidden));
  assert.equal((await visitor.get('/files/0')).status, 403, 'the link alone opens nothing');
  assert.equal((await visitor.get('/replied')).status, 403);

  assert.equal((await visitor.post('/code')).headers.get('location'), path);
  assert.ok((await visitor.get()).text.includes('autocomplete="one-time-code"'));
  const code = await lastCode(office, customer, address);
  const opened = await visitor.post('/open', { code: ` ${code.slice(0, 4)}-${code.slice(4)} ` });
  assert.deepEqual([opened.status, opened.headers.get('location')], [303, path]);
  assert.match(
    opened.headers.get('set-cookie') ?? '',
    new RegExp(`^pickup=[\\w-]{43}; Path=${path}; Max-Age=1800; HttpOnly; SameSite=Strict$`),
  );
  assert.equal((await statusOf(id)).deliveryStatus, 'TLS not offered, sending via Secure Portal', 'not yet seen');

  const letter = await visitor.get();
  assert.ok(letter.text.includes('<h1>Your &lt;results&gt;</h1>'));
  assert.ok(letter.text.includes('All is &lt;well&gt;.\nSee you.'));
  assert.ok(
    letter.text.includes('Dr. Who &lt;clinic@example.org&gt;') && letter.text.includes('large.bin</a> (300 kB)'),
  );

  const small = await visitor.bytes('/files/0');
  assert.equal(small.body.toString(), '<b>small</b>');
  assert.match(
    small.headers.get('content-disposition') ?? '',
    /^attachment; filename="small u.txt"; filename\*=UTF-8''small%20/,
  );
  assert.equal(small.headers.get('x-content-type-options'), 'nosniff');
  assert.match(small.headers.get('content-security-policy') ?? '', /sandbox/);
  const whole = await visitor.bytes('/files/1');
  assert.ok(whole.body.equals(large));
  assert.equal(whole.headers.get('content-length'), '300000');
  for (const none of ['/files/2', '/files/-1', '/files/x', '/files/0x0', '/files/1e0']) {
    assert.equal((await visitor.get(none)).status, 404, none);
  }

  const at = office.clock.now().toUTCString().replace('GMT', '+0000');
  assert.deepEqual(await statusOf(id), {
    deliveryStatus: 'delivered via secure portal',
    deliveryTime: at,
    openedStatus: 'opened',
    openedTime: at,
  });
  await visitor.get();
  const events = await office.query('select name from message_events where message_id = $1 order by number', [id]);
  assert.deepEqual(
    events.map(({ name }) => name),
    ['api_mail_log_delivered', 'api_mail_log_opened'],
  );
  assert.deepEqual((await actsOf(id)).slice(1), [
    'recipient pickup.code-accepted',
    'recipient pickup.opened',
    'recipient pickup.file-opened',
    'recipient pickup.file-opened',
    'recipient pickup.opened',
  ]);
  const { body } = await office.app.request('GET', `/v1/email/message_log/${id}`, { key: customer.key });
  assert.deepEqual(
    [body.data.state, body.data.recipients[0].state, body.data.recipients[0].portal],
    ['delivered', 'delivered', true],
  );
});

test('whoever opens the page has got the message, even where the reply to the notice was lost', async () => {
  const id = await send(office.app, customer.key, messageTo('cleo@example.com'));
  const path = linkIn(await office.notice(customer, id));
  const visitor = await comeIn(office, customer, { path, address: 'cleo@example.com' });
  assert.equal((await visitor.get()).status, 200);
  assert.equal((await statusOf(id)).deliveryStatus, 'delivered via secure portal');
  const [row] = await office.query('select due_at, portal from message_recipients where message_id = $1', [id]);
  assert.deepEqual(row, { due_at: null, portal: true });
});

test('a code goes out as mail of our own that says nothing, in the mode of the message', async () => {
  const { key } = await office.app.createKey(customer, ['email'], { mode: 'test' });
  const { path } = await office.leave({ ...customer, key }, messageTo('dan@example.com'));
  await visit(office, path).post('/code');
  const { body } = await office.app.request('GET', '/v1/email/message_log?to=dan@example.com&limit=1', {
    key: customer.key,
  });
  const [mail] = body.data;
  assert.deepEqual([mail.mode, mail.subject], ['test', 'Your code for a secure message']);
  assert.equal(mail.from, office.app.installation.config.systemFrom);
  const { body: whole } = await office.app.request('GET', `/v1/email/message_log/${mail.sourceTrackingId}`, {
    key: customer.key,
  });
  assert.ok(!whole.data.content.text.includes('example.org'));
});

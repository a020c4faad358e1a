import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

function message(changes: Record<string, unknown> = {}) {
  return {
    recipients: ['patient@example.com'],
    headers: { from: 'Clinic <clinic@example.org>', subject: 'Your results' },
    content: { 'text/plain': 'They are here.' },
    ...changes,
  };
}

function send(app: TestApp, { key }: TestCustomer, changes: Record<string, unknown> = {}) {
  return app.request('POST', '/v1/email/messages', { key, body: { data: { message: message(changes) } } });
}

async function inbox(app: TestApp, { key }: TestCustomer, to: string) {
  const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${encodeURIComponent(to)}`, { key });
  return body.data;
}

test('a message is accepted and arrives in the sandbox over TLS', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const reply = await send(app, customer, {
    recipients: ['Ann Patient <ann@example.com>', 'ben@example.com'],
    bcc: ['hidden@example.net'],
    headers: {
      from: 'clinic@example.org',
      subject: 'Größe',
      'reply-to': 'desk@example.org',
      'X-Ward': '7',
      Date: 'ignored',
    },
    content: { 'text/plain': 'Plain.', 'text/html': Buffer.from('<p>Rich.</p>').toString('base64') },
    attachments: [
      { fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from('attached').toString('base64') },
    ],
  });
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys(reply.body), ['sourceTrackingId', 'customHeaders', 'data']);
  assert.equal(reply.body.data, 'Service OK');
  assert.deepEqual(reply.body.customHeaders, { 'X-Ward': '7' });

  const [mail] = await eventually(async () => {
    const found = await inbox(app, customer, 'ann@example.com');
    return found.length > 0 && found;
  });
  assert.equal(mail.sourceTrackingId, reply.body.sourceTrackingId);
  assert.equal(mail.subject, 'Größe');
  assert.equal(mail.from, 'clinic@example.org');
  assert.deepEqual(mail.to, ['ann@example.com', 'ben@example.com']);
  assert.equal(mail.text.trim(), 'Plain.');
  assert.equal(mail.html.trim(), '<p>Rich.</p>');
  assert.deepEqual(mail.attachments, [{ fileName: 'a.txt', contentType: 'text/plain', size: 8 }]);
  assert.equal(mail.headers['X-Ward'], '7');
  assert.equal(mail.headers['Reply-To'], 'desk@example.org');
  assert.match(mail.tls.version, /^TLSv1\.[23]$/);
  assert.ok(!JSON.stringify(mail).includes('hidden@example.net'), 'blind copies stay blind');
  assert.equal((await inbox(app, customer, 'hidden@example.net')).length, 1, 'and are delivered');

  const stranger = await app.createCustomer();
  assert.deepEqual(await inbox(app, stranger, 'ann@example.com'), []);
});

test('an attachment larger than a row goes by the blob store and arrives whole', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const content = Buffer.alloc(700_000, 'abc').toString('base64');
  const reply = await send(app, customer, { attachments: [{ fileName: 'big.bin', contentType: 'fg', content }] });
  assert.equal(reply.status, 200);
  const [mail] = await eventually(async () => {
    const found = await inbox(app, customer, 'patient@example.com');
    return found.length > 0 && found;
  });
  assert.deepEqual(mail.attachments, [{ fileName: 'big.bin', contentType: 'application/octet-stream', size: 700_000 }]);
});

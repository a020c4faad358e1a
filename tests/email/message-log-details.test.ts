import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

test('the log says when a message is to leave, until it is cancelled', async () => {
  const { key } = await app.createCustomer();
  const log = async (path = '') => (await app.request('GET', `/v1/email/message_log${path}`, { key })).body.data;
  const now = await send(app, key, messageTo('ann@example.net'));
  const scheduled_at = new Date(Date.now() + 3600_000).toISOString();
  const { body } = await app.request('POST', '/v1/email/schedule', {
    key,
    body: { data: { message: messageTo('ben@example.net'), scheduled_at } },
  });
  const [later, sent] = await log();
  assert.deepEqual([later.sourceTrackingId, later.scheduledFor], [body.sourceTrackingId, scheduled_at]);
  assert.deepEqual([sent.sourceTrackingId, sent.scheduledFor], [now, null]);
  assert.equal((await log(`/${body.sourceTrackingId}`)).scheduledFor, scheduled_at);
  await app.request('POST', `/v1/email/schedule/${body.sourceTrackingId}/cancel`, { key });
  assert.equal((await log(`/${body.sourceTrackingId}`)).scheduledFor, null);
});

test('an attempt tells which certificate was shown and how it was judged', async () => {
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.net'));
  const tls = await eventually(async () => {
    const { body } = await app.request('GET', `/v1/email/message_log/${id}`, { key });
    return body.data.recipients[0].attempts[0]?.tls;
  });
  assert.match(tls.certificateSha256, /^[0-9a-f]{64}$/);
  assert.deepEqual([tls.verified, tls.basis, tls.reason], [true, null, null]);
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Reply, startApp } from '../support/app.ts';
import { messageTo } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

type Asked = [method: string, path: string, body?: object];

/** A customer whose requests are held against the rows of the audit log that each of them leaves. */
async function setUp(t: TestContext) {
  const app = await startApp(t);
  const { id: customerId, key, keyId } = await app.createCustomer();
  const readRows = () =>
    asOwner(app, async (client) => {
      const text =
        'select action, target, actor_id, request_id from audit_log where customer_id = $1 order by xact, id';
      return (await client.query(text, [customerId])).rows;
    });
  return async (action: string, [method, path, body]: Asked, targetOf: (reply: Reply) => string | null) => {
    const earlier = (await readRows()).length;
    const reply = await app.request(method, path, { key, ...(body === undefined ? {} : { body }) });
    assert.ok(reply.status < 300, `${action}: ${reply.text}`);
    const row = { action, target: targetOf(reply), actor_id: keyId, request_id: reply.headers.get('x-request-id') };
    assert.deepEqual((await readRows()).slice(earlier), [row]);
    return reply.body;
  };
}

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3600_000).toISOString();
}

test('whoever puts a message off, takes it back or reads of it leaves one row that names it', async (t) => {
  const leaves = await setUp(t);
  const data = { message: messageTo('ann@example.com'), scheduled_at: inHours(1) };
  const { sourceTrackingId: id } = await leaves(
    'message.scheduled',
    ['POST', '/v1/email/schedule', { data }],
    ({ body }) => body.sourceTrackingId,
  );
  const path = `/v1/email/schedule/${id}`;
  await leaves('message.rescheduled', ['PATCH', path, { scheduled_at: inHours(2) }], () => id);
  await leaves('message.cancelled', ['POST', `${path}/cancel`], () => id);
  await leaves('receipt.read', ['GET', `/v1/email/message_receipt?sourceTrackingId=${id}`], () => id);
  await leaves('message.read', ['GET', `/v1/email/message_log/${id}`], () => id);
  await leaves('message-log.listed', ['GET', '/v1/email/message_log?to=ann@example.com'], () => null);
});

test('whoever changes templates, settings or where events go leaves one row that names what was changed', async (t) => {
  const leaves = await setUp(t);
  await leaves('email-settings.updated', ['PATCH', '/v1/email/settings', { open_tracking: false }], () => null);
  const templates = '/v1/email/dynamic_templates';
  const visit = { name: 'visit', body: '<p>{{day}}</p>' };
  const { id: number } = await leaves('template.created', ['POST', templates, visit], ({ body }) => String(body.id));
  const template = `${templates}/${number}`;
  await leaves('template.updated', ['PATCH', template, { body: '<p>On {{day}}</p>' }], () => String(number));
  await leaves('template.deleted', ['DELETE', template], () => String(number));
  const endpoints = '/v1/webhooks/endpoints';
  const wish = { target_url: 'http://127.0.0.1:9/hook', events: ['api_mail_log_delivered'] };
  const { data } = await leaves('webhook.created', ['POST', endpoints, wish], ({ body }) => body.data.id);
  const endpoint = `${endpoints}/${data.id}`;
  await leaves('webhook.updated', ['PATCH', endpoint, { ordered: true }], () => data.id);
  await leaves('webhook.secret-rotated', ['POST', `${endpoint}/rotate_secret`], () => data.id);
  await leaves('webhook.tested', ['POST', `${endpoint}/test`], () => data.id);
  await leaves('webhook.replayed', ['POST', `${endpoint}/replay`, { from_sequence: 1 }], () => data.id);
  await leaves('webhook.deleted', ['DELETE', endpoint], () => data.id);
});

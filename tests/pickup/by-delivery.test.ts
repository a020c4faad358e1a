import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';

/** The newest sandbox mail to an address with this subject. */
async function mailTo(app: TestApp, key: string, address: string, subject: string) {
  return eventually(async () => {
    const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${address}`, { key });
    return body.data.find((mail: { subject: string }) => mail.subject === subject);
  });
}

test('with forceSecureNotification a notice is delivered, and the message is read on the page', async (t: TestContext) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { key } = await app.createCustomer();
  const address = 'ann@example.com';
  const id = await send(
    app,
    key,
    messageTo(address, { content: { 'text/plain': 'All is well.' }, forceSecureNotification: true }),
  );
  const statusOf = async () => {
    const { body } = await receiptOf(app, key, id);
    return body.data.message.message_deliveries[0].status.deliveryStatus;
  };
  const notice = await mailTo(app, key, address, 'You have a secure message');
  assert.ok(!JSON.stringify(notice).includes('All is well'));
  await eventually(async () => (await statusOf()) === 'TLS not offered, sending via Secure Portal');

  const [path] = /\/pickup\/[\w-]{43}/.exec(notice.text) ?? assert.fail();
  const post = (to: string, body = '', cookie = '') =>
    fetch(app.url + path + to, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body,
      redirect: 'manual',
    });
  assert.equal((await post('/code')).status, 303);
  const mail = await mailTo(app, key, address, 'Your code for a secure message');
  const code = /\b\d{8}\b/.exec(mail.text)?.[0] ?? assert.fail();
  const opened = await post('/open', `code=${code}`);
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? assert.fail();
  const letter = await (await fetch(app.url + path, { headers: { cookie } })).text();
  assert.ok(letter.includes('All is well.'));
  assert.equal(await statusOf(), 'delivered via secure portal');
  const codeReceipt = await receiptOf(app, key, mail.sourceTrackingId);
  await eventually(async () => {
    const { body } = await receiptOf(app, key, codeReceipt.body.sourceTrackingId);
    return body.data.message.message_deliveries[0].status.deliveryStatus === 'delivered';
  });
  const { body } = await app.request('GET', '/v1/email/events?after=0', { key });
  const names = body.data
    .filter((event: { payload: { source_tracking_id: string } }) => event.payload.source_tracking_id === id)
    .map((event: { event_name: string }) => event.event_name);
  assert.deepEqual(names, ['api_mail_log_delivered', 'api_mail_log_opened'], 'of the notice nothing is told');

  assert.equal((await post('/reply', 'reply=Thank+you', cookie)).status, 303);
  const reply = await mailTo(app, key, 'clinic@example.org', 'Re: Your visit');
  assert.equal(reply.text.trim(), 'Thank you');
  assert.match(JSON.stringify(reply.headers), /"Reply-To":"ann@example\.com"/i);
});

import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { connectTo } from '../support/dialogue.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,smtp,worker' } });
});

/** The newest sandbox mail to an address with this subject. */
async function mailTo(key: string, address: string, subject: string) {
  return eventually(async () => {
    const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${address}`, { key });
    return body.data.find((mail: { subject: string }) => mail.subject === subject);
  });
}

test('with forceSecureNotification a notice is delivered, and the message is read on the page', async () => {
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
  const notice = await mailTo(key, address, 'You have a secure message');
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
  const mail = await mailTo(key, address, 'Your code for a secure message');
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
  const reply = await mailTo(key, 'clinic@example.org', 'Re: Your visit');
  assert.equal(reply.text.trim(), 'Thank you');
  assert.match(JSON.stringify(reply.headers), /"Reply-To":"ann@example\.com"/i);
});

test('of several recipients in one domain each has a notice with a link of their own', async () => {
  const { key } = await app.createCustomer();
  const addresses = ['ann@several.example', 'ben@several.example'];
  const content = { 'text/plain': 'All is well.' };
  const message = { ...messageTo(''), recipients: addresses, content, force_secure_notification: true };
  await send(app, key, message);
  const links = new Map<string, string>();
  for (const address of addresses) {
    const notice = await mailTo(key, address, 'You have a secure message');
    assert.deepEqual(notice.to, [address]);
    assert.ok(!JSON.stringify(notice).includes('All is well'), address);
    links.set(address, /\/pickup\/[\w-]{43}/.exec(notice.text)?.[0] ?? assert.fail());
  }
  assert.equal(new Set(links.values()).size, 2);
  await fetch(`${app.url}${links.get('ben@several.example')}/code`, { method: 'POST', redirect: 'manual' });
  await mailTo(key, 'ben@several.example', 'Your code for a secure message');
});

test('a header asks for a notice as well, by HTTP and by SMTP', async (t) => {
  const { key } = await app.createCustomer();
  const headers = { from: 'clinic@example.org', subject: 'Your visit' };
  const content = { 'text/plain': 'All is well.' };
  const sendWith = (address: string, value: string) =>
    send(app, key, messageTo(address, { content, headers: { ...headers, 'x-force-secure-msg': value } }));
  await sendWith('ann@example.com', 'true');
  await sendWith('ben@example.com', 'No');
  const client = await connectTo(app.smtp?.tlsPort ?? 0, { secure: true });
  t.after(() => client.close());
  const login = Buffer.from(`\0apikey\0${key}`).toString('base64');
  await client.play(`S: 220\nC: EHLO x.example\nS: 250\nC: AUTH PLAIN ${login}\nS: 235`);
  await client.play('C: MAIL FROM:<clinic@example.org>\nS: 250\nC: RCPT TO:<cy@example.com>\nS: 250\nC: DATA\nS: 354');
  await client.play('C: From: clinic@example.org\nC: Subject: Your visit\nC: X-Force-Secure-Msg: 1');
  await client.play('C: \nC: All is well.\nC: .\nS: 250 2.0.0');
  for (const address of ['ann@example.com', 'cy@example.com']) {
    const notice = await mailTo(key, address, 'You have a secure message');
    assert.ok(!JSON.stringify(notice).includes('All is well'), address);
  }
  const open = await mailTo(key, 'ben@example.com', 'Your visit');
  assert.equal(open.text.trim(), 'All is well.');
});

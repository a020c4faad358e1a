import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { leaseDue } from '../../src/email/delivery/queue/lease.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { base64, submit } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Clamd, FOUND, startClamd } from '../support/clamd.ts';
import { createMovableClock } from '../support/clock.ts';
import { connectTo } from '../support/dialogue.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';
import { createHook, startReceiver } from '../support/webhook-receiver.ts';
import { grows } from './scrape.ts';

const clock = createMovableClock();
let app: TestApp;
let clamd: Clamd;
let customer: TestCustomer;
before(async (t) => {
  clamd = await startClamd(t as TestContext);
  const env = { CAREPOST_ROLES: 'http,smtp,worker', CAREPOST_CLAMD: clamd.address };
  app = await startApp(t as TestContext, { clock, env });
  customer = await app.createCustomer();
});

/** A client of the SMTP door that has shown a key. */
async function showKey(t: TestContext, key: string, reply: string) {
  const client = await connectTo(app.smtp?.tlsPort as number, { secure: true });
  t.after(() => client.close());
  await client.play('S: 220\nC: EHLO client.test\nS: 250');
  await client.play(`C: AUTH PLAIN ${base64(`\0apikey\0${key}`)}\nS: ${reply}`);
  return client;
}

test('requests and delivery attempts are counted by how they ended', async () => {
  await grows(app, ['carepost_deliveries_total', { outcome: 'delivered' }, 1], () =>
    grows(app, ['carepost_http_request_seconds_count', { route: '/v1/email/messages', status: '200' }, 1], () =>
      send(app, customer.key, messageTo('ann@example.com')),
    ),
  );
});

test('messages at the SMTP door are timed by outcome', async (t) => {
  const client = await showKey(t, customer.key, '235');
  const say = async (from: string, reply: string) => {
    await client.play('C: MAIL FROM:<a@sender.test>\nS: 250\nC: RCPT TO:<b@example.com>\nS: 250\nC: DATA\nS: 354');
    client.send(`From: ${from}\r\nSubject: x\r\n\r\nbody\r\n.\r\n`);
    assert.ok((await client.reply())?.startsWith(reply));
  };
  await grows(app, ['carepost_smtp_submission_seconds_count', { outcome: 'accepted' }, 1], () =>
    say('a@b.test', '250'),
  );
  await grows(app, ['carepost_smtp_submission_seconds_count', { outcome: 'refused' }, 1], () => say('nobody', '5'));
});

/** One more failure at a door. */
const failures = (door: string): [string, Record<string, string>, number] => [
  'carepost_sign_in_failures_total',
  { door },
  1,
];

test('whoever shows a wrong key or password is counted at the door it happened', async (t) => {
  const wrong = `${customer.key.slice(0, -6)}aaaaaa`;
  await grows(app, failures('smtp'), () => showKey(t, wrong, '535'));
  await grows(app, failures('api'), () => app.request('GET', '/v1/email/sandbox/messages', { key: wrong }));
  await grows(app, failures('dashboard'), async () => {
    const body = { email: 'nobody@example.org', password: 'not the password' };
    const headers = { origin: app.installation.config.publicUrl };
    const { status, text } = await app.request('POST', '/app/api/sign_in', { headers, body });
    assert.equal(status, 401, text);
  });
  await grows(app, ['carepost_sign_in_failures_total', {}, 0], () =>
    app.request('GET', '/v1/email/sandbox/messages', { key: customer.key }),
  );
});

test('a call of a webhook is counted by outcome, and the first of each is timed from the event on', async (t) => {
  const receiver = await startReceiver(t);
  const events = ['api_mail_log_delivered'];
  await createHook(app, customer.key, { url: receiver.url, events });
  await grows(app, ['carepost_webhook_lag_seconds_count', {}, 1], () =>
    grows(app, ['carepost_webhook_attempts_total', { outcome: 'delivered' }, 1], () =>
      send(app, customer.key, messageTo('ben@example.com')),
    ),
  );
  receiver.answer({ status: 500 });
  await grows(app, ['carepost_webhook_attempts_total', { outcome: 'refused' }, 1], () =>
    send(app, customer.key, messageTo('ben@example.com')),
  );
});

test('submissions that are stored are counted, and files by what the scanner made of them', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const take = (name: string) =>
    submit(app, formId, { form_data: {}, attachments: [{ name, content: base64('bytes') }] });
  await grows(app, ['carepost_file_scans_total', { outcome: 'clean' }, 1], () =>
    grows(app, ['carepost_submissions_total', {}, 1], () => take('clean.txt')),
  );
  const { onStream } = clamd;
  clamd.onStream = (socket) => void socket.end(FOUND);
  await grows(app, ['carepost_file_scans_total', { outcome: 'infected' }, 1], () => take('infected.txt'));
  clamd.onStream = (socket) => void socket.destroy();
  await grows(app, ['carepost_file_scans_total', { outcome: 'failed' }, 1], () =>
    grows(app, ['carepost_submissions_total', {}, 0], () => take('unscanned.txt')),
  );
  clamd.onStream = onStream;
});

test('a delivery that a process took and never settled is counted once its lease has ended', async (t) => {
  const { ownerUrl, log } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  const at = new Date(clock.now().getTime() + 3600_000).toISOString();
  const body = { data: { message: messageTo('dan@example.com'), scheduled_at: at } };
  assert.equal((await app.request('POST', '/v1/email/schedule', { key: customer.key, body })).status, 200);
  const later = { now: () => new Date(clock.now().getTime() + 3601_000) };
  const { leases } = await leaseDue({ db, clock: later }, { most: 10, full: [], after: 0 });
  assert.equal(leases.length, 1);
  await grows(app, ['carepost_leases_expired_total', {}, 1], async () => clock.advance(3601_000 + 61_000));
});

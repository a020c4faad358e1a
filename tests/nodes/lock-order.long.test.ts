import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { importFile } from '../imports/support.ts';
import { addMailing, ask, sendIn, startSend } from '../mailings/mailing.ts';
import { addAccount, openBrowser, PASSWORD } from '../sign-in/visitor.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf } from '../support/people-session.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

test('nodes that share the pace of a mailing do not wait for each other', async (t) => {
  const customer = await app.createCustomer();
  const { body } = await ask(app, customer, 'POST', '/subscription_lists', { name: 'Patients' });
  const workers = [];
  for (let node = 0; node < 2; node += 1) {
    workers.push(await startApp(t, { beside: app, env: { CAREPOST_ROLES: 'worker' } }));
  }
  const people = Array.from({ length: 400 }, (_, number) => `person-${number}@example.com\n`).join('');
  await importFile(app, customer, `email\n${people}`, { subscription_list_id: body.data.id });
  const mailing = await addMailing(app, customer);
  const send = { subscription_list_id: body.data.id, per_second: 200 };
  const done = await sendIn(app, customer, await startSend(app, customer, mailing, send), 'finished');
  assert.equal(done.delivered, 400);
  for (const worker of workers) await worker.stop(); // what a connection knows of deadlocks is told when it ends
  const deadlocks = await withConnection(app.installation.ownerUrl, async (client) => {
    const text = 'select deadlocks from pg_stat_database where datname = current_database()';
    return (await client.query(text)).rows[0].deadlocks;
  });
  assert.equal(deadlocks, 0);
});

test('somebody who enrols while they are removed does not stand in the way', async () => {
  const customer = await app.createCustomer();
  const { email, userId } = await addAccount(app, customer, 'owner');
  const browser = openBrowser(app);
  await browser.ask('POST', '/sign_in', { email, password: PASSWORD });
  const { body } = await browser.ask('POST', '/factors/totp');
  const code = codeOf(body.secret, app.installation.clock.now());
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query(`set deadlock_timeout = '50ms'; set carepost.customers = '{${customer.id}}'; begin`);
    await client.query('update users set disabled_at = now() where id = $1', [userId]);
    const enrolled = browser.ask('POST', '/factors/totp/confirm', { code });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(() =>
      withConnection(app.installation.ownerUrl, async (other) => (await other.query(waiting)).rows.length > 0),
    );
    await client.query('update user_sessions set ended_at = now() where user_id = $1', [userId]);
    await client.query('commit');
    assert.equal((await enrolled).status, 401);
  });
});

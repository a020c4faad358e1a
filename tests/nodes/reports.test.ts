import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { addMailing, addPerson } from '../mailings/mailing.ts';
import { startApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { addSentMailing } from '../support/sent-mailing.ts';

let replica: Awaited<ReturnType<typeof createTestDatabase>>;
let main: Awaited<ReturnType<typeof createTestDatabase>>;

before(async () => {
  [main, replica] = [await createTestDatabase(), await createTestDatabase()];
});
after(async () => {
  await main.drop();
  await replica.drop();
});

test('reports are read from the replica, and looking at people is written down where it can be', async (t) => {
  const env = { CAREPOST_DATABASE_URL: main.url, CAREPOST_REPORTS_URL: replica.url };
  const app = await startApp(t, { env });
  const customer = await app.createCustomer();
  const mailingId = await addMailing(app, customer);
  const subscriberId = await addPerson(app, customer, { email: 'ann@example.com' });
  await addSentMailing(app, { id: customer.id, mark: 'ann' }, { mailingId, subscriberId });
  const read = async (report: string) => {
    const reply = await app.request('GET', `/v1/marketing/analytics/${report}`, { key: customer.key });
    assert.equal(reply.status, 200, reply.text);
    return reply;
  };
  // Nothing of it has come to the replica, which is behind for ever.
  assert.equal((await read('campaign_mailing_send_totals')).body.data.delivered, 0);
  assert.deepEqual((await read('campaign_mailing_deliveries_table')).body.data, []);
  await read('campaign_mailing_deliveries_table/csv');
  const { rows } = await withConnection(main.url, (client) =>
    client.query(`select action from audit_log where action like 'report.%' order by id`),
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['report.read', 'report.exported'],
  );
});

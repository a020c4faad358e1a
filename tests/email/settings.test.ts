import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('of two who switch off different things at the same time both are heard', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.createCustomer();
  const change = (body: object) => app.request('PATCH', '/v1/email/settings', { key, body });
  assert.equal((await change({ open_tracking: true })).status, 200);
  const changes = await asOwner(app, async (client) => {
    await client.query('begin');
    await client.query('select from email_settings where customer_id = $1 for update', [id]);
    const both = [change({ open_tracking: false }), change({ link_tracking: false })];
    await eventually(() => asOwner(app, async (other) => (await other.query(WAITING)).rows.length === 2));
    await client.query('commit');
    return Promise.all(both);
  });
  for (const { status } of changes) assert.equal(status, 200);
  const { body } = await app.request('GET', '/v1/email/settings', { key });
  assert.deepEqual(body.data, { open_tracking: false, link_tracking: false });
});

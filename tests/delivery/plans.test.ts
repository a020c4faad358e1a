import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createWorker, takeDue } from '../support/delivery.ts';
import { lookedAt } from '../support/looked-at.ts';
import { messageTo } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

const READ = 'select * from read_leased($1, $2, $3)';
const SUPPRESS = `
  insert into suppressions (customer_id, address_index, reason, sealed, created_at)
  select $1, sha256(n::text::bytea), 'hard_bounce', '', now() from generate_series(1, 400) n`;
const SETTLE = `select * from settle_deliveries($1, $2, now(), '[]', '[]')`;

test('what is read and settled is found by its key, also by plans that were made when there was nothing', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const { id: customerId, key } = await app.createCustomer();
  await asOwner(app, async (client) => {
    await client.query('set role carepost_worker');
    await client.query(READ, [[customerId], [], []]);
    await client.query(SETTLE, [[customerId], '[]']);
    for (let batch = 0; batch < 8; batch += 1) {
      const messages = Array.from({ length: 50 }, (_, each) => messageTo(`p${batch}-${each}@example.com`));
      const sent = await app.request('POST', '/v1/email/bulk_messages', { key, body: { data: { messages } } });
      assert.equal(sent.status, 200, sent.text);
    }
    await asOwner(app, (owner) => owner.query(SUPPRESS, [customerId]));
    const leases = await takeDue(worker, 4);
    await client.query('begin');
    const read = await client.query(READ, [[customerId], leases.map((lease) => lease.message_id), ['hard_bounce']]);
    assert.equal(read.rows.length, 4);
    const done = leases.map(({ message_id, ordinal, attempts }) => ({
      message_id,
      ordinal,
      attempt: attempts,
      state: 'delivered',
      settled_at: new Date(),
      portal: false,
      outcome: 'delivered',
      notice: false,
    }));
    const settled = await client.query(SETTLE, [[customerId], JSON.stringify(done)]);
    assert.equal(settled.rows[0].settled.length, 4);
    const looked = await lookedAt((text) => client.query(text));
    await client.query('rollback');
    const most = { suppressions: 4, messages: 4, message_contents: 4, message_recipients: 8, delivery_attempts: 4 };
    for (const [table, rows] of Object.entries(most)) {
      assert.ok((looked[table] ?? 0) <= rows, `${looked[table]} rows of ${table}`);
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Pooler, startPooler } from '../support/pooler.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { useEverything } from './whole-product.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pooler: Pooler;

// Around the test, so that the product ends before them.
before(async () => {
  database = await createTestDatabase();
  pooler = await startPooler(database.url);
});
after(async () => {
  await pooler.stop();
  await database.drop();
});

test('everything works through a pooler that lends connections by the transaction', async (t) => {
  const app = await startApp(t, {
    env: {
      CAREPOST_ROLES: 'http,smtp,worker',
      CAREPOST_DATABASE_URL: pooler.url,
      CAREPOST_DATABASE_DIRECT_URL: database.url,
    },
  });
  await useEverything({ http: app, smtpPort: app.smtp?.port as number, receiver: await startReceiver(t) });
  const { rows } = await withConnection(database.url, (client) =>
    client.query(
      `select usename, count(*)::int as n from pg_stat_activity
       where datname = current_database() and usename in ('carepost_app', 'carepost_worker') and query not like 'listen%'
       group by usename`,
    ),
  );
  // As many as the pooler opens for a role, however many the product's own pools hold.
  assert.equal(rows.length, 2);
  for (const { n } of rows) assert.ok(n <= pooler.serverConnections, JSON.stringify(rows));
  assert.doesNotMatch(app.logged(), /"level":(50|60)/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';

const PASSWORD = 'correct horse battery staple';
const DAY = 24 * 3600_000;

async function invite(app: TestApp): Promise<string> {
  const customer = await app.createCustomer();
  const wanted = { email: `${customer.username}@example.org`, role: 'owner' };
  const { setupToken } = await createUser(app.installation, app.act(customer.id, 'user.created'), wanted);
  return setupToken;
}

function setUp(app: TestApp, token: string, password: string) {
  return app.request('POST', '/app/api/setup', { body: { token, password } });
}

test('a setup link sets a password once, and nothing of either is stored or logged as it is', async (t) => {
  const app = await startApp(t);
  const token = await invite(app);
  assert.equal((await setUp(app, token, PASSWORD)).status, 200);
  assert.equal((await setUp(app, token, PASSWORD)).status, 404);
  const stored = await withConnection(app.installation.ownerUrl, async (client) => {
    const { rows } = await client.query(
      'select u::text as row from users u union all select l::text from user_setup_links l',
    );
    return rows.map((row: { row: string }) => row.row).join('\n');
  });
  assert.match(stored, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  for (const secret of [token, PASSWORD]) {
    assert.ok(!stored.includes(secret));
    assert.ok(!app.logged().includes(secret));
  }
});

test('two uses at the same moment set one password', async (t) => {
  const app = await startApp(t);
  const token = await invite(app);
  const replies = await Promise.all([setUp(app, token, `${PASSWORD} 1`), setUp(app, token, `${PASSWORD} 2`)]);
  assert.deepEqual(
    replies.map((reply) => reply.status).toSorted((one, other) => one - other),
    [200, 404],
  );
});

test('a link ends after seven days, and a made-up one was never there', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const token = await invite(app);
  assert.equal((await setUp(app, `${token}x`, PASSWORD)).status, 404);
  clock.advance(7 * DAY);
  assert.equal((await setUp(app, token, PASSWORD)).status, 404);
});

test('a password takes 12 to 256 characters, and a refused one leaves the link usable', async (t) => {
  const app = await startApp(t);
  const token = await invite(app);
  for (const length of [0, 11, 257]) {
    const reply = await setUp(app, token, 'p'.repeat(length));
    assert.equal(reply.status, 400, String(length));
    assert.match(reply.body.error, /password/);
  }
  assert.equal((await setUp(app, token, 'seven lamps.')).status, 200);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESEAL } from '../../src/jobs.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { signIn } from '../support/people-session.ts';
import { createTestTasks } from '../support/tasks.ts';

const DAY = 24 * 3600_000;
const STEP = 30_000;

test('sessions that are long over are swept, and those of late are kept', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  await signIn(app, customer, 'reader');
  clock.advance(25 * DAY);
  const { userId } = await signIn(app, customer, 'owner');
  clock.advance(6 * DAY);
  const workerDb = openDatabase(app.installation, 'worker', 1);
  t.after(() => workerDb.close());
  await ((await createTestTasks(app.installation, workerDb))['sweep.hourly'] as Task)({});
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select user_id from user_sessions'),
  );
  assert.deepEqual(rows, [{ user_id: userId }]);
});

test('the secret of an app is sealed anew when the keys of its customer are, and goes on working', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { vault, ownerUrl } = app.installation;
  const customer = await app.createCustomer();
  const person = await signIn(app, customer, 'owner');
  const sealed = async () =>
    withConnection(
      ownerUrl,
      async (client) => (await client.query('select secret from user_totp')).rows[0].secret as Buffer,
    );
  const before = await sealed();
  await vault.rotate(customer.id);
  clock.advance(STEP);
  vault.forget(customer.id);
  const workerDb = openDatabase(app.installation, 'worker', 1);
  t.after(() => workerDb.close());
  const tasks = await createTestTasks(app.installation, workerDb);
  await (tasks[RESEAL] as Task)({ customerId: customer.id });
  assert.deepEqual([before.readUInt32BE(1), (await sealed()).readUInt32BE(1)], [1, 2]);
  assert.equal((await person.request('POST', '/app/api/step_up/totp', { body: { code: person.code() } })).status, 200);
});

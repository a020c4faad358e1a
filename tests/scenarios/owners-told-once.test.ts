import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createUser, endPerson } from '../../src/accounts/index.ts';
import { tellOwners } from '../../src/email/index.ts';
import { createWebhookLane } from '../../src/email/webhooks/deliver.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { startApp } from '../support/app.ts';
import { createPeer, createTestEngine, createWorker, willing } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { createHook } from '../support/webhook-receiver.ts';

const OWNERS = ['ann@clinic.example', 'ben@clinic.example'];
/** Whom it is no business of: another role, and an owner who has been removed. */
const OTHERS = ['cy@clinic.example', 'dan@clinic.example'];

/** A clinic with two owners whose endpoint has answered that it is gone, and the job to tell them, which nobody has done yet. */
async function prepare(t: TestContext) {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const { id, key } = await app.createCustomer();
  for (const email of OWNERS) {
    await createUser(app.installation, app.act(id, 'user.created'), { email, role: 'owner' });
  }
  await createUser(app.installation, app.act(id, 'user.created'), { email: 'cy@clinic.example', role: 'admin' });
  const dan = { email: 'dan@clinic.example', role: 'owner' };
  const removed = await createUser(app.installation, app.act(id, 'user.created'), dan);
  await endPerson(app.installation, app.act(id, 'user.ended'), removed.id);
  await createHook(app, key, { url: 'http://127.0.0.1:9/hook', events: ['api_mail_log_delivered'] });
  await send(app, key, messageTo('patient@example.com'));
  const engine = createTestEngine(worker, createPeer(willing).find);
  await engine.turn();
  await engine.settled();
  const lane = createWebhookLane({ ...worker, dial: async () => ({ status: 410, retryAfter: null }) });
  lane.start();
  t.after(() => lane.stop());
  const asked = await eventually(() =>
    asOwner(app, async (client) => {
      const { rows } = await client.query(
        `select payload from graphile_worker._private_jobs where payload->>'what' is not null`,
      );
      return rows[0]?.payload;
    }),
  );
  await lane.stop();
  const { db, vault, blobs, clock, config } = app.installation;
  return {
    db,
    /** Does the job, as a worker does that takes it. */
    tell: (by: Database = db) => tellOwners({ db: by, vault, blobs, clock, systemFrom: config.systemFrom }, asked),
    /** How many mails each owner has got. */
    mails: (addresses = OWNERS) =>
      Promise.all(
        addresses.map(
          async (to) => (await app.request('GET', `/v1/email/message_log?to=${to}`, { key })).body.data.length,
        ),
      ),
  };
}

test('owners are told once where a worker died after the mails were written, and the job is done again', async (t) => {
  const { tell, mails } = await prepare(t);
  await tell();
  assert.deepEqual(await mails(), [1, 1]);
  await tell();
  assert.deepEqual(await mails(), [1, 1]);
  assert.deepEqual(await mails(OTHERS), [0, 0], 'and nobody else');
});

test('owners are told once where a worker died before all was written', async (t) => {
  const { db, tell, mails } = await prepare(t);
  const dying: Database['tenant'] = (customers, work) =>
    db.tenant(customers, async (tx) => {
      await work(tx);
      throw new Error('killed');
    });
  await assert.rejects(tell({ ...db, tenant: dying }), /killed/);
  assert.deepEqual(await mails(), [0, 0]);
  await tell();
  assert.deepEqual(await mails(), [1, 1]);
});

test('of workers that do the job at the same moment one tells the owners', async (t) => {
  const { tell, mails } = await prepare(t);
  await Promise.all([tell(), tell(), tell()]);
  assert.deepEqual(await mails(), [1, 1]);
});

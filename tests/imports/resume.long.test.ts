import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runImport } from '../../src/marketing/imports/run.ts';
import type { SealedBlobs } from '../../src/platform/blob/sealed-blobs.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { countsOf, look, send, settled } from './support.ts';

const ROWS = 25_000;
const FILE = `email,first_name\n${Array.from({ length: ROWS }, (_, row) => `p${row}@example.com,"N ${row}"\nbad${row}\n`).join('')}`;

async function peopleOf(app: TestApp, { id }: TestCustomer) {
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select (select count(*) from subscribers where customer_id = $1) as people,
        (select count(*) from subscriptions where customer_id = $1) as subscriptions,
        (select sum(people) from people_counts where customer_id = $1) as counted,
        (select count(*) from import_rejects where customer_id = $1) as rejects`,
      [id],
    ),
  );
  return Object.values(rows[0]).map(Number);
}

const WHOLE = { created: ROWS, updated: 0, unchanged: 0, skipped: ROWS, opted_out: 0 };

test('an import that a failure cuts off goes on where its last chunk ended', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { body } = await send(app, customer, FILE);
  const { db, vault, blobs, clock } = app.installation;
  const which = { customerId: customer.id, importId: body.data.id as string };
  let left = 0;
  const failing: SealedBlobs = {
    ...blobs,
    async *read(customerId, id, range) {
      for await (const piece of blobs.read(customerId, id, range)) {
        left -= piece.length;
        if (left < 0) throw new Error('the disk is gone');
        yield piece;
      }
    },
  };
  const places: number[] = [];
  for (left = FILE.length + 200_000; ; left = 200_000) {
    const done = await runImport({ db, vault, blobs: failing, clock }, which).then(
      () => true,
      () => false,
    );
    const { attributes } = await look(app, customer, which.importId);
    if (attributes.state === 'done') break;
    assert.ok(!done || attributes.state === 'running');
    if (places.at(-1) !== undefined)
      assert.ok(attributes.bytes_done > (places.at(-1) as number), 'it comes further every time');
    assert.equal(attributes.rows_done, attributes.created + attributes.skipped, 'what is told is what is there');
    places.push(attributes.bytes_done);
  }
  assert.ok(places.length > 1, 'it was cut off more than once');
  const told = await look(app, customer, which.importId);
  assert.deepEqual(countsOf(told), WHOLE);
  assert.deepEqual(await peopleOf(app, customer), [ROWS, ROWS, ROWS, ROWS]);
});

test('two that work on the same import do it once', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { body } = await send(app, customer, FILE);
  const which = { customerId: customer.id, importId: body.data.id as string };
  const run = async () => {
    while (await runImport(app.installation, which));
  };
  await Promise.all([run(), run(), run()]);
  await run();
  assert.deepEqual(countsOf(await look(app, customer, which.importId)), WHOLE);
  assert.deepEqual(await peopleOf(app, customer), [ROWS, ROWS, ROWS, ROWS]);
});

test('what a server left when it stopped, or died, the next one finishes', async (t) => {
  const env = { CAREPOST_ROLES: 'http,worker' };
  const first = await startApp(t, { env });
  const customer = await first.createCustomer();
  const { body } = await send(first, customer, FILE);
  await eventually(async () => (await look(first, customer, body.data.id)).attributes.rows_done > 0, 30_000);
  await first.stop();
  // As if it had died: its job is held by nobody, and is not due for hours.
  await asOwner(first, async (client) => {
    await client.query(`select graphile_worker.remove_job($1)`, [`import/${body.data.id}`]);
    await client.query(`update imports set updated_at = now() - interval '1 minute' where id = $1`, [body.data.id]);
  });
  const second = await startApp(t, { env, beside: first });
  const told = await settled(second, customer, body.data.id);
  const found = await peopleOf(second, customer);
  await second.stop(); // before the database goes with the first
  assert.deepEqual(countsOf(told), WHOLE);
  assert.deepEqual(found, [ROWS, ROWS, ROWS, ROWS]);
});

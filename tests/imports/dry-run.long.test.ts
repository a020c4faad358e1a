import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { countsOf, IMPORTS, importFile, send, settled, type Told } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

/** Rows that say nothing, more than are written together, and so keep apart what stands before and after them. */
const FAR = 'nobody\n'.repeat(1_000);
const HEADER = 'email,phone_number,first_name,Ward,Diagnosis,unsubscribed\n';

async function withHealthField(): Promise<TestCustomer> {
  const customer = await app.createCustomer();
  const body = { name: 'Diagnosis', kind: 'text', class: 'phi' };
  const { status } = await app.request('POST', '/v1/marketing/subscriber_custom_field_types', {
    key: customer.key,
    body,
  });
  assert.equal(status, 200);
  return customer;
}

async function started(customer: TestCustomer, { id }: Told): Promise<Told> {
  const { status } = await app.request('POST', `${IMPORTS}/${id}/start`, { key: customer.key });
  assert.equal(status, 200);
  return settled(app, customer, id);
}

async function notesOf({ id }: TestCustomer, where = app): Promise<number> {
  const { rows } = await asOwner(where, (client) =>
    client.query('select count(*) as notes from import_changes where customer_id = $1', [id]),
  );
  return Number(rows[0].notes);
}

test('who stands in a file twice, far apart, is counted as created once by a dry run', async () => {
  const customer = await withHealthField();
  const file = `${HEADER}a@example.com,,Ann,,,\n,+14155550123,Kim,,flu,\n${FAR}A@example.com,,,,,\n,+14155550123,Kim,,flu,\n`;
  const dry = await importFile(app, customer, file, { dry_run: 'true' });
  assert.deepEqual(countsOf(dry), { created: 2, updated: 1, unchanged: 1, skipped: 1_000, opted_out: 0 });
  assert.equal(await notesOf(customer), 0, 'nothing stays of what it has read');
  assert.deepEqual(countsOf(await started(customer, dry)), countsOf(dry));
});

const oneOf = (...values: string[]) => fc.constantFrom('', ...values);
const row = fc
  .record({
    key: fc.constantFrom(
      'a@example.com,',
      'A@example.com,',
      'b@example.com,+14155550123',
      'b@example.com,+14155550124',
      'c@example.com,',
      'c@example.com,+14155550123',
      ',+14155550123',
      ',+14155550124',
    ),
    name: oneOf('Ann', 'Anna'),
    ward: oneOf('7', '8'),
    diagnosis: oneOf('flu', 'asthma'),
    left: oneOf('no', 'no', 'no', 'yes'),
  })
  .map(({ key, name, ward, diagnosis, left }) => `${key},${name},${ward},${diagnosis},${left}\n`);
const rows = fc.array(row, { maxLength: 6 }).map((lines) => lines.join(''));

test('whatever stands in a file, a dry run counts as the import does', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.array(rows, { minLength: 2, maxLength: 4 }), async (known, pieces) => {
      const customer = await withHealthField();
      await importFile(app, customer, `${HEADER}${known}x\n`);
      const dry = await importFile(app, customer, `${HEADER}${pieces.join(FAR)}x\n`, { dry_run: 'true' });
      assert.deepEqual(countsOf(await started(customer, dry)), countsOf(dry));
    }),
    { numRuns: 12 },
  );
});

/** The names of columns, by default so many that a customer has room for them once. */
function manyColumns(prefix: string, length = 600): string {
  return Array.from({ length }, (_, index) => `${prefix}${index}`).join(',');
}

test('a dry run fails as the import would where a customer would have too many fields', async () => {
  const customer = await app.createCustomer();
  await importFile(app, customer, `email,${manyColumns('a')}\na@example.com\n`);
  const dry = await importFile(app, customer, `email,${manyColumns('b')}\na@example.com\n`, { dry_run: 'true' });
  assert.deepEqual(
    [dry.attributes.state, dry.attributes.failure],
    ['failed', 'custom_fields: a customer has at most 1000 fields'],
  );
});

test('nothing stays of what a dry run has read that fails on its way', async (t) => {
  const idle = await startApp(t);
  const customer = await idle.createCustomer();
  const file = `email,${manyColumns('a', 1_001)}\na@example.com\n`;
  const { body } = await send(idle, customer, file, { dry_run: 'true' });
  await asOwner(idle, (client) =>
    client.query(
      `insert into import_changes (import_id, customer_id, subscriber_id, before, after, sealed_after)
       values ($1, $2, gen_random_uuid(), '{}', '{}', '\\x00')`,
      [body.data.id, customer.id],
    ),
  );
  assert.equal(await notesOf(customer, idle), 1);
  const worker = await startApp(t, { beside: idle, env: { CAREPOST_ROLES: 'http,worker' } });
  assert.equal((await settled(idle, customer, body.data.id)).attributes.state, 'failed');
  await worker.stop();
  assert.equal(await notesOf(customer, idle), 0);
});

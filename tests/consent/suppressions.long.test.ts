import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { EMAIL_SEALED_COLUMNS } from '../../src/email/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { resealCustomer } from '../../src/platform/vault/reseal.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { rowsOf } from './mailing.ts';

const PATH = '/v1/email/suppressions';

let app: TestApp;
let customer: TestCustomer;

before(async (t) => {
  app = await startApp(t as TestContext);
});

const add = (body: object, headers = {}) => app.request('POST', PATH, { key: customer.key, body, headers });
const list = (query = '') => app.request('GET', `${PATH}?${query}`, { key: customer.key });
const remove = (query: string) => app.request('DELETE', `${PATH}?${query}`, { key: customer.key });
const addressesIn = ({ body }: { body: { data: { address: string }[] } }) => body.data.map(({ address }) => address);

test('an address is added by hand, found however it is written, and let go again', async () => {
  customer = await app.createCustomer();
  const made = await add({ address: 'Ann@Example.com', reason: 'manual' });
  assert.equal(made.status, 200);
  const { createdAt, ...entry } = made.body.data;
  assert.deepEqual(entry, { address: 'Ann@example.com', reason: 'manual', sourceTrackingId: null });
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.deepEqual((await add({ address: 'ann@example.com' })).body, made.body, 'a second time changes nothing');
  assert.deepEqual((await list('address=ANN%40example.com')).body, { data: [made.body.data], next: null });
  assert.deepEqual(addressesIn(await list('address=ben%40example.com')), []);
  assert.deepEqual(addressesIn(await list('reason=hard_bounce')), []);
  assert.equal((await remove('address=ann%40example.com&reason=complaint')).status, 404);
  assert.deepEqual((await remove('address=ann%40example.com')).body, { data: { removed: 1 } });
  assert.equal((await remove('address=ann%40example.com')).status, 404);
  assert.deepEqual(addressesIn(await list()), []);
});

test('pages hold everybody once, whatever they are filtered by', async () => {
  customer = await app.createCustomer();
  const wanted = Array.from({ length: 23 }, (_, at) => `person-${at}@example.com`);
  for (const address of wanted) await add({ address });
  for (const filter of ['', 'reason=manual&']) {
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page = await list(`${filter}limit=5&after=${after}`);
      seen.push(...addressesIn(page));
      after = page.body.next;
    }
    assert.deepEqual(seen.toSorted(), wanted.toSorted());
  }
});

test('what is no address, reason or end of a page is refused without being repeated', async () => {
  customer = await app.createCustomer();
  for (const address of ['', 'nobody', 'a@b', 'Ann <ann@example.com>', 'a@b.com\r\nx', `${'x'.repeat(300)}@b.com`]) {
    const { status, text } = await add({ address });
    assert.equal(status, 400);
    assert.ok(text.includes('address') && (address === '' || !text.includes(address)), text);
    if (address !== '') assert.equal((await list(`address=${encodeURIComponent(address)}`)).status, 400);
    assert.equal((await remove(`address=${encodeURIComponent(address)}`)).status, 400);
  }
  for (const reason of ['hard_bounce', 'opt_out', 'complaint', 'x', null]) {
    assert.equal((await add({ address: 'ann@example.com', reason })).status, 400);
  }
  assert.equal((await remove('reason=manual')).status, 400);
  for (const after of ['x', randomUUID(), '0'.repeat(32), `${'0'.repeat(31)}.manual`]) {
    assert.equal((await list(`after=${after}`)).status, 400, after);
  }
  assert.equal((await list('reason=x')).status, 400);
});

test('an opt-out is for the person to take back', async () => {
  customer = await app.createCustomer();
  await add({ address: 'ann@example.com' });
  await asOwner(app, (client) =>
    client.query(
      `insert into suppressions (customer_id, address_index, reason, sealed, created_at)
       select customer_id, address_index, 'opt_out', sealed, now() from suppressions where customer_id = $1`,
      [customer.id],
    ),
  );
  assert.equal((await remove('address=ann%40example.com&reason=opt_out')).status, 400);
  await remove('address=ann%40example.com');
  const rows = await rowsOf(app, customer, 'select reason from suppressions where customer_id = $1');
  assert.deepEqual(rows, [{ reason: 'opt_out' }]);
});

test('addresses are sealed at rest, survive a new key, and stand in neither logs nor the audit', async () => {
  customer = await app.createCustomer();
  await add({ address: 'ann.secret@example.com' });
  await list('address=ann.secret%40example.com');
  const { ownerUrl, log, vault } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  await vault.rotate(customer.id);
  const columns = EMAIL_SEALED_COLUMNS.filter(({ table }) => table === 'suppressions');
  assert.equal(await resealCustomer({ db, vault }, customer.id, columns), 1);
  await db.close();
  const [row] = await rowsOf(
    app,
    customer,
    `select encode(sealed, 'escape') as sealed from suppressions where customer_id = $1`,
  );
  assert.ok(!String(row?.sealed).includes('secret'));
  assert.deepEqual(addressesIn(await list()), ['ann.secret@example.com']);
  await remove('address=ann.secret%40example.com');
  const [dump] = await rowsOf(
    app,
    customer,
    `select string_agg(t::text, ' ') as all from audit_log t where customer_id = $1`,
  );
  for (const action of ['suppression.created', 'suppressions.listed', 'suppression.deleted']) {
    assert.ok(String(dump?.all).includes(action), action);
  }
  assert.ok(!String(dump?.all).includes('secret') && !app.logged().includes('ann.secret'));
});

test('an Idempotency-Key answers the first reply again, and another customer sees nothing', async () => {
  customer = await app.createCustomer();
  const key = { 'idempotency-key': randomUUID() };
  const first = await add({ address: 'ann@example.com' }, key);
  await remove('address=ann%40example.com');
  const again = await add({ address: 'ann@example.com' }, key);
  assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true']);
  assert.deepEqual(addressesIn(await list()), []);
  await add({ address: 'ben@example.com' });
  customer = await app.createCustomer();
  assert.deepEqual(addressesIn(await list()), []);
  assert.equal((await remove('address=ben%40example.com')).status, 404);
});

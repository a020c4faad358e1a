import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { COUNT_SEGMENT, countSegment } from '../../src/marketing/segments/count-job.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';

const PEOPLE = 120_000;
const clock = createMovableClock();

let app: TestApp;
let customer: TestCustomer;
let worker: Database;
let tasks: Record<string, Task>;
before(async (context) => {
  const t = context as TestContext;
  app = await startApp(t, { clock });
  customer = await app.createCustomer();
  worker = openDatabase(app.installation, 'worker', 2);
  t.after(() => worker.close());
  tasks = await createTestTasks(app.installation, worker);
  await asOwner(app, (client) =>
    client.query(
      `insert into subscribers (id, customer_id, email, first_name, created_at, updated_at)
       select gen_random_uuid(), $1, n || '@example.org', 'n' || n % 4, now(), now() from generate_series(1, $2::int) n`,
      [customer.id, PEOPLE],
    ),
  );
});

async function call(method: string, path: string, body?: object) {
  const { key } = customer;
  const reply = await app.request(method, `/v1/marketing${path}`, { key, ...(body && { body }) });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
}

/** Takes the counts that are asked for. */
async function takeCounts(): Promise<Record<string, unknown>[]> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      `with taken as (delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier = $1 returning j.payload) select payload from taken`,
      [COUNT_SEGMENT],
    );
    return rows.map(({ payload: { requestId: _asked, ...payload } }) => payload);
  });
}

async function countAll(): Promise<void> {
  for (const payload of await takeCounts()) await tasks[COUNT_SEGMENT]?.(payload);
}

const counted = ({ attributes }: { attributes: { subscriber_count: number; counted_at: string } }) => [
  attributes.subscriber_count,
  attributes.counted_at,
];

test('many people are counted aside, and again when that is a minute ago', async () => {
  const made = await call('POST', '/dynamic_lists', { name: 'Quarter', rule: 'first_name is "N1"' });
  assert.deepEqual(counted(made), [null, null]);
  const read = () => call('GET', `/dynamic_lists/${made.id}`);
  assert.deepEqual(counted(await read()), [null, null]);
  const payloads = await takeCounts();
  assert.deepEqual(payloads, [{ customerId: customer.id, segmentId: made.id }], 'once, however often it was read');
  await tasks[COUNT_SEGMENT]?.(payloads[0] as Record<string, unknown>);
  const at = clock.now().toISOString();
  assert.deepEqual(counted(await read()), [PEOPLE / 4, at]);
  clock.advance(60_000);
  await read();
  assert.deepEqual(await takeCounts(), []);
  clock.advance(1);
  assert.deepEqual(counted(await read()), [PEOPLE / 4, at]);
  await countAll();
  assert.deepEqual(counted(await read()), [PEOPLE / 4, clock.now().toISOString()]);
});

test('other filters are yet to be counted', async () => {
  const { id } = await call('POST', '/dynamic_lists', { name: 'Half', rule: 'first_name is any of ("n1", "n2")' });
  await countAll();
  clock.advance(1_000);
  const changed = await call('PATCH', `/dynamic_lists/${id}`, { rule: 'first_name is "n1"' });
  assert.deepEqual(counted(changed), [null, null]);
  const listed = await call('GET', '/dynamic_lists?search=half&with_stats=false');
  assert.deepEqual(counted(listed[0]), [null, null]);
  await countAll();
  const [first] = await call('GET', '/lists?search=half');
  assert.equal(counted(first)[0], PEOPLE / 4);
  await call('DELETE', `/dynamic_lists/${id}`);
  await tasks[COUNT_SEGMENT]?.({ customerId: customer.id, segmentId: id });
});

test('a count of filters that were changed meanwhile is not kept', async () => {
  const { id } = await call('POST', '/dynamic_lists', { name: 'Changing', rule: 'first_name is "n1"' });
  clock.advance(1_000);
  let works = 0;
  const tenant: Database['tenant'] = async (customers, work) => {
    works += 1;
    if (works === 2) await call('PATCH', `/dynamic_lists/${id}`, { rule: 'first_name is "n2"' });
    return worker.tenant(customers, work);
  };
  await countSegment({ db: { ...worker, tenant }, clock }, { customerId: customer.id, segmentId: id });
  assert.ok(works > 2);
  assert.deepEqual(counted(await call('GET', `/dynamic_lists/${id}`)), [null, null]);
});

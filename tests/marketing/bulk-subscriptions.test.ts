import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { resumeBulkJobs } from '../../src/marketing/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createTestTasks } from '../support/tasks.ts';
import { type Marketing, marketingOf, refusalOf, rowsOf } from './support.ts';

/** One that works on jobs, and one beside it in which nothing moves by itself. */
let busy: TestApp;
let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
let list: string;

before(async (t) => {
  busy = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  app = await startApp(t as TestContext);
});
beforeEach(() => begin(busy));

async function begin(on: TestApp): Promise<void> {
  customer = await on.createCustomer();
  marketing = marketingOf(on, customer);
  list = await marketing.addList('News');
}

const post = (operation: string, body: object) => marketing.take('POST', `/subscriptions/${operation}`, body);
const countOf = async (id: string) =>
  (await marketing.take('GET', `/subscription_lists/${id}`)).data.attributes.subscriber_count;
const holding = (part: string) => JSON.stringify([[{ field: 'email', op: 'contains', terms: [part] }]]);
const suppressed = () => rowsOf(busy, 'select from suppressions where customer_id = $1', [customer.id]);
const optedOut = async () =>
  (await marketing.take('GET', '/subscribers?order_by=email&order=asc')).data.map(
    ({ attributes }: { attributes: { unsubscribed: boolean } }) => attributes.unsubscribed,
  );

async function addPeople(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await marketing.addPerson(`${name}@example.com`, { last_name: `Of ${name}` }));
  return ids;
}

/** So many people with addresses p1, p2 and so on, all on the list. */
async function addCrowd(on: TestApp, size: number): Promise<void> {
  await rowsOf(
    on,
    `with people as (
       insert into subscribers (id, customer_id, email, created_at, updated_at)
       select time_ordered_id(now() - interval '1 hour'), $1, 'p' || n || '@example.com', now(), now()
       from generate_series(1, $3::int) n returning id)
     insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
     select gen_random_uuid(), $1, $2, id, now(), true from people`,
    [customer.id, list, size],
  );
}

test('people who are named join and leave lists at once', async () => {
  const [ann, bob, cy] = await addPeople('ann', 'bob', 'cy');
  const other = await marketing.addList('Other');
  const { data } = await post('subscribe', {
    subscriber_ids: [bob, ann, bob],
    subscription_list_ids: [list, Number(other)],
  });
  assert.deepEqual(
    data.map(({ id, type }: { id: string; type: string }) => [id, type]),
    [
      [bob, 'subscriber'],
      [ann, 'subscriber'],
    ],
  );
  assert.deepEqual([await countOf(list), await countOf(other)], [2, 2]);
  await post('dynamic_bulk_unsubscribe', { subscriber_ids: [ann, cy], subscription_list_ids: [list] });
  assert.deepEqual([await countOf(list), await countOf(other)], [1, 2]);
  await post('dynamic_bulk_subscribe', { subscriber_ids: [ann], subscription_list_ids: [list] });
  assert.equal(await countOf(list), 2);
  assert.deepEqual((await post('subscribe', { subscriber_ids: [] })).data, []);
});

test('without lists it is about everything, and the reply says so at once', async () => {
  const ids = await addPeople('ann', 'bob');
  for (const [away, back] of [
    ['unsubscribe', 'subscribe'],
    ['bulk_global_unsubscribe', 'bulk_global_subscribe'],
    ['dynamic_bulk_unsubscribe', 'dynamic_bulk_subscribe'],
  ] as const) {
    const { data: gone } = await post(away, { subscriber_ids: ids });
    assert.ok(gone.every(({ attributes }: { attributes: { unsubscribed: boolean } }) => attributes.unsubscribed));
    assert.equal(await countOf('default'), 0);
    const { data: returned } = await post(back, { subscriber_ids: ids });
    assert.ok(returned.every(({ attributes }: { attributes: { unsubscribed: boolean } }) => !attributes.unsubscribed));
    assert.equal(await countOf('default'), 2);
  }
  await post('bulk_global_unsubscribe', { subscriber_ids: ids, subscription_list_ids: [list] });
  assert.deepEqual(await optedOut(), [true, true], 'lists do not matter where it is about everything');
});

test('ids are taken all or none, and no more than a thousand people or a hundred lists', async () => {
  const [ann] = await addPeople('ann');
  const body = { subscriber_ids: [ann, randomUUID()], subscription_list_ids: [list] };
  assert.equal((await marketing.ask('POST', '/subscriptions/subscribe', body)).status, 404);
  assert.equal(await countOf(list), 0);
  const many = { subscriber_ids: Array.from({ length: 1001 }, () => ann) };
  const reply = await marketing.ask('POST', '/subscriptions/unsubscribe', many);
  assert.deepEqual(refusalOf(reply), [422, 'unprocessable', ['subscriber_ids']]);
  const lists = {
    subscriber_ids: [ann],
    subscription_list_ids: Array.from({ length: 101 }, (_, number) => number + 1),
  };
  const refused = await marketing.ask('POST', '/subscriptions/unsubscribe', lists);
  assert.deepEqual(refusalOf(refused), [422, 'unprocessable', ['subscription_list_ids']]);
  assert.deepEqual(await optedOut(), [false]);
});

test('nothing at all is not taken for everybody', async () => {
  await addPeople('ann');
  for (const body of [
    {},
    { search: ' ' },
    { search: '*' },
    { filters: [] },
    { except_ids: [] },
    { subscription_list_ids: [list] },
  ]) {
    const reply = await marketing.ask('POST', '/subscriptions/unsubscribe', body);
    assert.deepEqual(refusalOf(reply), [400, 'invalid_request', ['subscriber_ids']]);
  }
  assert.deepEqual((await marketing.take('GET', '/bulk_jobs')).data, []);
});

test('a selection is worked on by a job', async () => {
  const [ann, , cy] = await addPeople('ann', 'bob', 'cy', 'dan');
  const { data } = await post('subscribe', { search: 'of', except_ids: [cy], subscription_list_ids: [list] });
  const { created_at: at, finished_at: end, ...job } = await marketing.ended(data.jid);
  assert.ok(end >= at);
  assert.deepEqual(job, { id: data.jid, kind: 'subscribe', state: 'done', total_jobs: 3, failures: 0, pending: 0 });
  assert.equal(await countOf(list), 3);
  const evidence = await rowsOf(
    busy,
    `select evidence->>'job' as job, evidence->>'actor' as actor from consent_changes
     where subscriber_id = $1 and subscription_list_id = $2`,
    [ann, list],
  );
  assert.deepEqual(evidence, [{ job: data.jid, actor: `key/${customer.keyId}` }]);
  const filters = [[{ field: 'email', op: 'is', terms: ['ann@example.com', 'cy@example.com'] }]];
  const { data: away } = await post('dynamic_bulk_unsubscribe', { from_subscription_list_id: list, filters });
  assert.equal((await marketing.ended(away.jid)).total_jobs, 1);
  assert.deepEqual(await optedOut(), [true, false, false, false]);
  const { data: jobs, page_info: page } = await marketing.take('GET', '/bulk_jobs?items=1');
  assert.deepEqual([jobs[0].id, jobs.length], [away.jid, 1]);
  assert.deepEqual(page, { count: 2, pages: 2, page: 1, items: 1 });
  const audited = await rowsOf(busy, 'select action from audit_log where target = $1 order by id', [data.jid]);
  assert.deepEqual(audited, [{ action: 'subscribers.subscribed' }, { action: 'bulk_job.finished' }]);
});

test('a star instead of words chooses all of the list', async () => {
  const [ann, bob] = await addPeople('ann', 'bob', 'cy');
  await post('subscribe', { subscriber_ids: [ann, bob], subscription_list_ids: [list] });
  const { data } = await post('bulk_global_unsubscribe', { from_subscription_list_id: list, search: '*' });
  assert.equal((await marketing.ended(data.jid)).total_jobs, 2);
  assert.deepEqual(await optedOut(), [true, true, false]);
});

test('taking back the opt-outs of a list reaches those on it who have opted out, and nobody who has left it', async () => {
  const [ann, bob, cy, dan] = await addPeople('ann', 'bob', 'cy', 'dan');
  await post('subscribe', { subscriber_ids: [ann, bob, cy], subscription_list_ids: [list] });
  await post('unsubscribe', { subscriber_ids: [cy], subscription_list_ids: [list] });
  await post('unsubscribe', { subscriber_ids: [ann, cy, dan] });
  const away = { from_subscription_list_id: list, search: '*' };
  const { data } = await post('subscribe', { ...away, subscription_list_ids: [list] });
  await marketing.ended(data.jid);
  assert.deepEqual(await optedOut(), [true, false, true, true], 'put on a list are only those who have not opted out');
  const { data: back } = await post('bulk_global_subscribe', away);
  assert.equal((await marketing.ended(back.jid)).total_jobs, 2);
  assert.deepEqual(await optedOut(), [false, false, true, true]);
  assert.deepEqual([await countOf(list), (await suppressed()).length], [2, 2]);
});

test('a dynamic list may be named where a list is, and its filters may be as they stand in an address', async () => {
  await addPeople('ann', 'bob', 'cy');
  const { data: dynamic } = await marketing.take('POST', '/dynamic_lists', { name: 'With n', filters: holding('nn') });
  const { data } = await post('dynamic_bulk_unsubscribe', { from_subscription_list_id: dynamic.id });
  assert.equal((await marketing.ended(data.jid)).total_jobs, 1);
  assert.deepEqual(await optedOut(), [true, false, false]);
  const encoded = { filters: encodeURIComponent(holding('bob')) };
  const { data: away } = await post('bulk_global_unsubscribe', encoded);
  await marketing.ended(away.jid);
  assert.deepEqual(await optedOut(), [true, true, false]);
  for (const [body, status, field] of [
    [{ from_subscription_list_id: randomUUID() }, 404, 'from_subscription_list_id'],
    [{ from_subscription_list_id: dynamic.id, dynamic_list_id: dynamic.id }, 400, 'from_subscription_list_id'],
    [{ filters: '%5B%5' }, 400, 'filters'],
  ] as const) {
    const { status: found, body: refusal } = await marketing.ask('POST', '/subscriptions/dynamic_bulk_subscribe', body);
    assert.deepEqual([found, Object.keys(refusal.details)], [status, [field]]);
  }
});

test('a selection that is put on a list leaves out who left it or opted out, and who is named comes back', async () => {
  const [ann, bob, cy] = await addPeople('ann', 'bob', 'cy');
  const away = [ann, bob];
  await post('bulk_global_unsubscribe', { subscriber_ids: [ann] });
  await post('subscribe', { subscriber_ids: [bob], subscription_list_ids: [list] });
  await post('unsubscribe', { subscriber_ids: [bob], subscription_list_ids: [list] });
  for (const operation of ['subscribe', 'dynamic_bulk_subscribe']) {
    const { data } = await post(operation, { search: 'of', subscription_list_ids: [list] });
    assert.equal((await marketing.ended(data.jid)).state, 'done');
    assert.deepEqual(await marketing.namesIn(`/subscribers?subscription_list_id=${list}`), ['cy']);
    assert.equal(await countOf(list), 1);
    assert.deepEqual(await optedOut(), [true, false, false]);
    assert.equal((await suppressed()).length, 1);
  }
  await post('subscribe', { subscriber_ids: [...away, cy], subscription_list_ids: [list] });
  assert.equal(await countOf(list), 3);
  assert.deepEqual([await optedOut(), await suppressed()], [[false, false, false], []]);
  await post('bulk_global_unsubscribe', { subscriber_ids: away });
  const { data } = await post('dynamic_bulk_subscribe', { search: 'of' });
  await marketing.ended(data.jid);
  assert.deepEqual([await optedOut(), await suppressed()], [[false, false, false], []]);
});

test('more people than a page holds leave the very list that they are chosen by', async () => {
  await addCrowd(busy, 2_500);
  assert.equal(await countOf(list), 2_500);
  const { data } = await post('unsubscribe', { from_subscription_list_id: list, subscription_list_ids: [list] });
  const { total_jobs: total } = await marketing.ended(data.jid);
  assert.equal(total, 2_500);
  assert.equal(await countOf(list), 0);
});

test('what was asked for is sealed, and the job carries ids only', async () => {
  await begin(app);
  const { data } = await post('unsubscribe', { search: 'xylophone' });
  const [row] = await rowsOf(app, 'select b::text as text, state from bulk_jobs b where id = $1', [data.jid]);
  assert.equal(row.state, 'waiting');
  assert.ok(!row.text.includes(Buffer.from('xylophone').toString('hex')));
  const payloads = await rowsOf(app, `select payload from graphile_worker._private_jobs where key = $1`, [
    `bulk/${data.jid}`,
  ]);
  const [{ payload }] = payloads;
  assert.match(payload.requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(payload, { customerId: customer.id, jobId: data.jid, requestId: payload.requestId });
  const { data: job } = await marketing.take('GET', `/bulk_jobs/${data.jid}`);
  assert.deepEqual([job.pending, job.total_jobs, job.finished_at], [1, 1, null]);
  assert.ok(!app.logged().includes('xylophone'));
});

test('a job that was interrupted goes on where it stood, and one that is done does nothing', async (t) => {
  await begin(app);
  await addCrowd(app, 2_100);
  const { data } = await post('unsubscribe', { search: 'example' });
  const people = await rowsOf(app, 'select id from subscribers where customer_id = $1 order by id', [customer.id]);
  // As a process leaves it that wrote a page and died.
  await rowsOf(app, `update bulk_jobs set state = 'running', place = $2, done = 1000, total = 2100 where id = $1`, [
    data.jid,
    people[999].id,
  ]);
  const workerDb = openDatabase(app.installation, 'worker', 2);
  t.after(() => workerDb.close());
  const work = (await createTestTasks(app.installation, workerDb))['marketing.bulk'] as Task;
  const which = { customerId: customer.id, jobId: data.jid };
  await Promise.all([work(which), work(which)]);
  const away = () => rowsOf(app, 'select id from subscribers where unsubscribed_at is not null order by id');
  assert.deepEqual(await away(), people.slice(1000));
  const { total_jobs: total, state } = (await marketing.take('GET', `/bulk_jobs/${data.jid}`)).data;
  assert.deepEqual([total, state], [2100, 'done']);
  await post('bulk_global_subscribe', { subscriber_ids: [people[1500].id] });
  await work(which);
  assert.equal((await away()).length, 1_099);
});

test('a job whose process died is taken up again, and one that is a week old is given up', async (t) => {
  await begin(app);
  const jids: string[] = [];
  for (const search of ['one', 'two', 'three']) jids.push((await post('unsubscribe', { search })).data.jid);
  const [stalled, old, fresh] = jids as [string, string, string];
  await rowsOf(app, `update bulk_jobs set updated_at = now() - interval '2 minutes' where id = any($1)`, [
    [stalled, old],
  ]);
  await rowsOf(app, `update bulk_jobs set created_at = now() - interval '8 days', total = 5, done = 2 where id = $1`, [
    old,
  ]);
  await rowsOf(app, 'delete from graphile_worker._private_jobs');
  const workerDb = openDatabase(app.installation, 'worker', 1);
  t.after(() => workerDb.close());
  await resumeBulkJobs({ db: workerDb, clock: app.installation.clock });
  const queued = await rowsOf(app, `select payload->>'jobId' as id from graphile_worker._private_jobs`);
  assert.deepEqual(queued, [{ id: stalled }]);
  const { data: failed } = await marketing.take('GET', `/bulk_jobs/${old}`);
  assert.deepEqual([failed.state, failed.failures, failed.pending, failed.total_jobs], ['failed', 3, 0, 5]);
  assert.equal((await marketing.take('GET', `/bulk_jobs/${fresh}`)).data.state, 'waiting');
});

test('a selection that is asked for twice under one key is worked on once', async () => {
  const jids = new Set<string>();
  for (let times = 0; times < 2; times += 1) {
    const headers = { 'idempotency-key': 'once' };
    const asked = { key: customer.key, headers, body: { search: 'ann' } };
    const { body } = await busy.request('POST', '/v1/marketing/subscriptions/unsubscribe', asked);
    jids.add(body.data.jid);
  }
  assert.equal(jids.size, 1);
  assert.equal((await marketing.take('GET', '/bulk_jobs')).page_info.count, 1);
});

test('the job of a send is found by its id too', async () => {
  const jid = randomUUID();
  await rowsOf(
    busy,
    `with send as (
       insert into campaign_mailing_sends (jid, customer_id, mailing_id, version, state, mode, sender_email, send_at,
         created_at, updated_at)
       values ($1, $2, 1, 1, 'paused', 'live', 'clinic@example.org', now(), now(), now()) returning id)
     insert into send_counts (send_id, customer_id, people, delivered, hard_bounced, excluded)
     select id, $2, 10, 3, 2, 1 from send`,
    [jid, customer.id],
  );
  const { data } = await marketing.take('GET', `/bulk_jobs/${jid}`);
  assert.deepEqual([data.kind, data.state, data.total_jobs, data.failures, data.pending], ['send', 'paused', 10, 2, 4]);
});

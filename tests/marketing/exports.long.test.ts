import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import Papa from 'papaparse';
import { openDatabase } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { countsOf, importFile, people, rejectsOf } from '../imports/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { createTestTasks } from '../support/tasks.ts';
import { type Marketing, marketingOf, refusalOf, rowsOf } from './support.ts';

const DAY_MS = 24 * 3600_000;
const clock = createMovableClock();

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;

before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
});

/** Exports, waits, and answers the lines of the file without what differs from run to run. */
async function exported(path: string, body: object): Promise<{ jid: string; lines: Record<string, string>[] }> {
  const { data } = await marketing.take('POST', path, { email: 'desk@example.org', ...body });
  assert.equal(data.sent_to_email, 'desk@example.org');
  assert.equal((await marketing.ended(data.jid)).state, 'done');
  const file = await marketing.ask('GET', `/bulk_jobs/${data.jid}/file`);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(
    file.headers.get('content-disposition') ?? '',
    /^attachment; filename="subscribers-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const { data: lines, errors } = Papa.parse<Record<string, string>>(file.text, { header: true, skipEmptyLines: true });
  assert.deepEqual(errors, []);
  return { jid: data.jid, lines };
}

/** The names in an export, in the order of the alphabet. */
async function namesIn(path: string, body: object): Promise<string[]> {
  const { lines } = await exported(path, body);
  return lines.flatMap(({ email }) => email?.replace(/@.*/, '') ?? []).toSorted();
}

test('the people of an export are chosen as those of a bulk job are, or named one by one', async () => {
  const path = '/subscribers_export_csv';
  const [ann, bob, cy] = await Promise.all(
    ['ann', 'bob', 'cy'].map((name) => marketing.addPerson(`${name}@example.com`)),
  );
  const list = await marketing.addList('News');
  const subscribing = { subscriber_ids: [ann, bob], subscription_list_ids: [list] };
  await marketing.take('POST', '/subscriptions/subscribe', subscribing);
  const from = { from_subscription_list_id: list };
  assert.deepEqual(await namesIn(path, from), ['ann', 'bob']);
  assert.deepEqual(await namesIn(path, { ...from, search: '*', except_ids: [bob] }), ['ann']);
  assert.deepEqual(await namesIn(path, { except_ids: [ann] }), ['bob', 'cy']);
  assert.deepEqual(await namesIn(path, { subscriber_ids: [bob, cy] }), ['bob', 'cy']);
  assert.deepEqual(await namesIn(path, { ...from, subscriber_ids: [bob, cy] }), ['bob']);
  assert.deepEqual(await namesIn(path, { subscriber_ids: [] }), []);
  assert.deepEqual(await namesIn(path, { subscriber_ids: null, search: 'cy' }), ['cy']);
  const { data: dynamic } = await marketing.take('POST', '/dynamic_lists', {
    name: 'Bob',
    filters: [[{ field: 'email', op: 'contains', terms: ['bob'] }]],
  });
  assert.deepEqual(await namesIn(path, { from_subscription_list_id: dynamic.id }), ['bob']);
  const unknown = '11111111-2222-4333-8444-555555555555';
  for (const [body, status, field] of [
    [{ subscriber_ids: [ann, unknown] }, 404, 'subscriber_ids'],
    [{ except_ids: [unknown] }, 404, 'except_ids'],
    [{ from_subscription_list_id: '999999' }, 404, 'from_subscription_list_id'],
    [{ subscription_list_id: '999999' }, 404, 'subscription_list_id'],
    [{ ...from, subscription_list_id: list }, 400, 'subscription_list_id'],
  ] as const) {
    const refused = await marketing.ask('POST', path, { email: 'desk@example.org', ...body });
    assert.deepEqual([refused.status, Object.keys(refused.body.details)], [status, [field]]);
  }
});

test('people are exported with all fields, health data opened and formulas defused', async () => {
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'Diagnosis', class: 'phi' });
  const ann = await marketing.addPerson('ann@example.com', {
    first_name: '=cmd()',
    last_name: 'Lee, "Ann"',
    time_zone: 'America/New_York',
    custom_fields: [{ Diagnosis: 'xylophobia' }, { Ward: '@7' }],
  });
  await marketing.addPerson('bob@example.com');
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [ann] });
  const { jid, lines } = await exported('/subscribers_export_csv', {});
  assert.equal(lines.length, 2);
  const first = lines.find(({ email }) => email === 'ann@example.com');
  const {
    id,
    number,
    created_at: createdAt,
    updated_at: updatedAt,
    unsubscribed_at: optedOutAt,
    ...rest
  } = first ?? {};
  assert.equal(id, ann);
  assert.match(number ?? '', /^\d+$/);
  for (const time of [createdAt, updatedAt, optedOutAt]) assert.match(time ?? '', /^\d{4}-.*Z$/);
  assert.deepEqual(rest, {
    email: 'ann@example.com',
    phone_number: '',
    first_name: "'=cmd()",
    last_name: 'Lee, "Ann"',
    time_zone: 'America/New_York',
    Diagnosis: 'xylophobia',
    Ward: "'@7",
  });
  const audited = await rowsOf(app, 'select action from audit_log where target = $1 order by id', [jid]);
  const actions = audited.map(({ action }) => action as string).toSorted();
  assert.deepEqual(actions, ['bulk_job.finished', 'export.read', 'subscribers.exported']);
  assert.ok(!app.logged().includes('xylophobia'));
});

test('an export comes back by an import into another account as it was, opt-outs too', async () => {
  await marketing.addPerson('ann@example.com', {
    phone_number: '+14155550101',
    first_name: '=cmd()',
    custom_fields: [{ Ward: "'@7" }, { '-Floor': '-2' }, { number: '12' }],
  });
  const bob = await marketing.addPerson('bob@example.com');
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [bob] });
  const { jid } = await exported('/subscribers_export_csv', {});
  const { text } = await marketing.ask('GET', `/bulk_jobs/${jid}/file`);
  const other = await app.createCustomer();
  const told = await importFile(app, other, text);
  assert.deepEqual(await rejectsOf(app, other, told), {});
  assert.deepEqual(countsOf(told), { created: 2, updated: 0, unchanged: 0, skipped: 0, opted_out: 1 });
  const [first, second] = await people(app, other);
  assert.deepEqual([first?.phone_number, first?.first_name], ['+14155550101', '=cmd()']);
  assert.deepEqual(first?.custom, { Ward: "'@7", '-Floor': '-2', number: '12' });
  assert.equal(first?.unsubscribed_at, null);
  assert.deepEqual([second?.unsubscribed_at !== null, second?.subscriptions], [true, []]);
});

test('whoever asked is told by a mail that names nobody', async () => {
  await marketing.addPerson('ann@example.com', { first_name: 'Xenia' });
  const { jid } = await exported('/subscribers_export_csv', { search: 'Xenia' });
  const mail = await eventually(async () => {
    const { body } = await app.request('GET', '/v1/email/sandbox/messages?to=desk@example.org', { key: customer.key });
    return body.data[0];
  });
  assert.ok(mail.text.includes(`/v1/marketing/bulk_jobs/${jid}/file`));
  assert.doesNotMatch(JSON.stringify(mail), /Xenia|ann@example\.com/);
});

test('whoever exports by a test key is told in the sandbox', async () => {
  const { key } = await app.createKey(customer, ['marketing'], { mode: 'test' });
  const body = { email: 'desk@example.org' };
  const { status } = await app.request('POST', '/v1/marketing/subscribers_export_csv', { key, body });
  assert.equal(status, 200);
  const [{ mode }] = await eventually(async () => {
    const rows = await rowsOf(app, 'select mode from messages where customer_id = $1', [customer.id]);
    return rows.length > 0 && rows;
  });
  assert.equal(mode, 'test');
});

test('an export is of a list, of whoever fits, or of a segment', async () => {
  const list = await marketing.addList('News');
  await marketing.addPerson('ann@example.com', { first_name: 'Ann' }, list);
  await marketing.addPerson('bob@example.com', { first_name: 'Bob' }, list);
  await marketing.addPerson('cy@example.com', { first_name: 'Cy' });
  assert.deepEqual(await namesIn('/subscribers_export_csv', { subscription_list_id: list }), ['ann', 'bob']);
  const filters = JSON.stringify([[{ field: 'first_name', op: 'is', terms: ['Bob', 'Cy'] }]]);
  assert.deepEqual(await namesIn('/subscribers_export_csv', { filters, subscription_list_id: list }), ['bob']);
  const { data: segment } = await marketing.take('POST', '/dynamic_lists', { name: 'Cs', rule: 'first_name is "Cy"' });
  assert.deepEqual(await namesIn('/export_dynamic_list_csv', { dynamic_list_id: segment.id }), ['cy']);
  const { data: all } = await marketing.take('POST', '/dynamic_lists', { name: 'All', rule: 'email is not empty' });
  const both = { dynamic_list_id: all.id, subscription_list_id: list };
  assert.deepEqual(await namesIn('/subscribers_export_csv', { dynamic_list_id: segment.id }), ['cy']);
  assert.deepEqual(await namesIn('/subscribers_export_csv', both), ['ann', 'bob'], 'whoever is in both');
  const ofSegment = '/export_dynamic_list_csv';
  assert.deepEqual(await namesIn(ofSegment, both), ['ann', 'bob']);
  assert.deepEqual(await namesIn(ofSegment, { ...both, search: 'bob' }), ['bob']);
  for (const mistaken of [{ search: 5 }, { subscriber_ids: 5 }, { except_ids: 'ann' }, { subscription_list_id: {} }]) {
    const ask = { email: 'desk@example.org', dynamic_list_id: all.id, ...mistaken };
    assert.equal((await marketing.ask('POST', ofSegment, ask)).status, 400, JSON.stringify(mistaken));
  }
});

test('a segment that is changed or deleted while an export of it waits is exported as it was, with who was there then', async (t) => {
  const other = await startApp(t, { clock });
  const asking = marketingOf(other, await other.createCustomer());
  for (const name of ['Ann', 'Cy']) await asking.addPerson(`${name}@example.com`, { first_name: name });
  const { data: segment } = await asking.take('POST', '/dynamic_lists', { name: 'Cs', rule: 'first_name is "Cy"' });
  const ask = { dynamic_list_id: segment.id, email: 'desk@example.org' };
  const jobs = [(await asking.take('POST', '/export_dynamic_list_csv', ask)).data.jid];
  await asking.take('PATCH', `/dynamic_lists/${segment.id}`, { rule: 'first_name is "Ann"' });
  jobs.push((await asking.take('POST', '/export_dynamic_list_csv', ask)).data.jid);
  await asking.take('DELETE', `/dynamic_lists/${segment.id}`);
  clock.advance(1_000);
  for (const name of ['Ann', 'Cy']) await asking.addPerson(`late-${name}@example.com`, { first_name: name });
  const worker = await startApp(t, { clock, beside: other, env: { CAREPOST_ROLES: 'worker' } });
  const names = [];
  for (const jid of jobs) {
    await asking.ended(jid);
    names.push((await asking.ask('GET', `/bulk_jobs/${jid}/file`)).text.match(/[\w-]+@/g));
  }
  await worker.stop();
  assert.deepEqual(names, [['Cy@'], ['Ann@']]);
});

test('more people than a page holds are each there once', async () => {
  await rowsOf(
    app,
    `insert into subscribers (id, customer_id, email, created_at, updated_at)
     select time_ordered_id($2::timestamptz - interval '1 hour'), $1, 'p' || n || '@example.com', now(), now()
     from generate_series(1, 2300) n`,
    [customer.id, clock.now()],
  );
  const { jid, lines } = await exported('/subscribers_export_csv', {});
  assert.equal(new Set(lines.map(({ email }) => email)).size, 2_300);
  assert.equal(lines.length, 2_300);
  assert.equal((await marketing.take('GET', `/bulk_jobs/${jid}`)).data.total_jobs, 2_300);
});

test('people of whom much is known are each there once, also where they are more than a page holds', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `Field ${at}`);
  for (let count = 0; count < 50; count += 1) {
    const text = String(count % 10).repeat(1_000);
    await marketing.addPerson(`p${count}@example.com`, { custom_fields: names.map((name) => ({ [name]: text })) });
  }
  const { lines } = await exported('/subscribers_export_csv', {});
  const told = lines.map(({ email = '', ...rest }) => [email, new Set(names.map((name) => rest[name]))]);
  const expected = Array.from({ length: 50 }, (_, at) => [
    `p${at}@example.com`,
    new Set([String(at % 10).repeat(1_000)]),
  ]);
  assert.deepEqual(new Map(told as [string, Set<string>][]), new Map(expected as [string, Set<string>][]));
  assert.equal(lines.length, 50);
});

test('the few who fit are found among more people than are looked at in one statement, and counted', async () => {
  await rowsOf(
    app,
    `insert into subscribers (id, customer_id, email, first_name, created_at, updated_at)
     select time_ordered_id($2::timestamptz - interval '1 hour'), $1, 'p' || n || '@example.com',
       case when n in (1, 20000, 20001, 45000) then 'Quinn' end, now(), now()
     from generate_series(1, 45000) n`,
    [customer.id, clock.now()],
  );
  const { jid, lines } = await exported('/subscribers_export_csv', { search: 'Quinn' });
  assert.deepEqual(
    lines.flatMap(({ email }) => email ?? []).toSorted(),
    [1, 20_000, 20_001, 45_000].map((n) => `p${n}@example.com`).toSorted(),
  );
  assert.equal((await marketing.take('GET', `/bulk_jobs/${jid}`)).data.total_jobs, 4);
});

test('an address is needed, and the file of what is no export, or not ready, is not there', async (t) => {
  assert.deepEqual(refusalOf(await marketing.ask('POST', '/subscribers_export_csv', { email: 'nobody' })), [
    422,
    'unprocessable',
    ['email'],
  ]);
  assert.equal((await marketing.ask('POST', '/subscribers_export_csv', {})).status, 400);
  assert.equal((await marketing.ask('POST', '/export_dynamic_list_csv', { email: 'a@example.org' })).status, 400);
  const { data } = await marketing.take('POST', '/subscriptions/subscribe', { search: 'x' });
  assert.equal((await marketing.ask('GET', `/bulk_jobs/${data.jid}/file`)).status, 404);
  const still = await startApp(t, { clock });
  const idle = marketingOf(still, await still.createCustomer());
  const { data: asked } = await idle.take('POST', '/subscribers_export_csv', { email: 'a@example.org' });
  assert.equal((await idle.ask('GET', `/bulk_jobs/${asked.jid}/file`)).status, 409);
});

test('a file is sealed in the store, and gone after seven days', async (t) => {
  await marketing.addPerson('ann@example.com', { first_name: 'Xenia' });
  const { jid } = await exported('/subscribers_export_csv', {});
  const [{ blob_id: blobId }] = await rowsOf(app, 'select blob_id from bulk_jobs where id = $1', [jid]);
  const stored = Buffer.concat(await Array.fromAsync(app.installation.blobStore.read(blobId)));
  assert.ok(stored.length > 0 && !stored.includes('Xenia'));
  const workerDb = openDatabase(app.installation, 'worker', 1);
  t.after(() => workerDb.close());
  const sweep = (await createTestTasks(app.installation, workerDb))['sweep.hourly'] as Task;
  clock.advance(7 * DAY_MS - 1_000);
  await sweep({});
  assert.equal((await marketing.ask('GET', `/bulk_jobs/${jid}/file`)).status, 200);
  clock.advance(2_000);
  await sweep({});
  assert.equal((await marketing.ask('GET', `/bulk_jobs/${jid}/file`)).status, 404);
  assert.deepEqual(await rowsOf(app, 'select from blobs where id = $1', [blobId]), []);
});

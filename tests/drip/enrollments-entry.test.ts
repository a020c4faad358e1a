import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { resumeBulkJobs } from '../../src/marketing/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { marketingOf, refusalOf, rowsOf } from '../marketing/support.ts';
import { createTestTasks } from '../support/tasks.ts';
import { addDrip, addTo, DAY, entriesOf, MINUTE, openQuiet, type QuietScene, startDrip, steer } from './drip.ts';
import { auditOf, enter, namesIn } from './enrollments.ts';

let scene: QuietScene;
let open: () => Promise<QuietScene>;
before(async (t) => {
  open = await openQuiet(t as TestContext);
});
beforeEach(async () => {
  scene = await open();
});

const nap = [{ id: 'nap', type: 'delay', days: 1 }];
const many = (value: string) => Array.from({ length: 1_001 }, () => value);
const begin = (more: object = {}) => startDrip(scene, nap, { start_trigger: 'manual', ...more });
const post = (drip: string, body: object) => scene.marketing.ask('POST', `/drip_campaigns/${drip}/enrollments`, body);

/** Lets people in and tells of each by name whether they entered. */
async function tried(drip: string, body: object): Promise<Record<string, string>> {
  const { data } = (await post(drip, body)).body;
  const told = [
    ...data.enrolled.map((each: { subscriber_id: string }) => [each.subscriber_id, 'in']),
    ...data.left_out.map((each: { subscriber_id: string; reason: string }) => [each.subscriber_id, each.reason]),
  ];
  const rows = await rowsOf(
    scene.app,
    `select id, split_part(email, '@', 1) as name from subscribers where id = any($1)`,
    [told.map(([id]) => id)],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return Object.fromEntries(told.map(([id, what]) => [names.get(id), what]));
}

test('people enter by id, number or address, whatever the trigger is; each of the others is told why not', async () => {
  const [ann, bob] = [await addTo(scene, 'ann'), await addTo(scene, 'Bob')];
  await scene.marketing.addPerson('cyd@example.com');
  const dan = await addTo(scene, 'dan');
  await scene.marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [dan] });
  const [row] = await rowsOf(scene.app, 'select number from subscribers where id = $1', [bob]);
  for (const start_trigger of ['manual', 'subscription_created']) {
    const drip = await begin({ start_trigger });
    const emails = [' BOB@example.com', 'cyd@example.com', 'dan@example.com', 'bob@example.com'];
    const body = { subscriber_ids: [ann, Number(row.number), ann.toUpperCase()], emails };
    assert.deepEqual(await tried(drip, body), { ann: 'in', Bob: 'in', cyd: 'not_on_list', dan: 'opted_out' });
    assert.deepEqual(await tried(drip, { subscriber_ids: [ann] }), { ann: 'already_in' });
    assert.deepEqual((await namesIn(scene, drip)).toSorted(), ['Bob', 'ann']);
    const audited = (await auditOf(scene, 'drip_enrollments.created')).filter(({ target }) => target === drip);
    const details = audited.map((each) => `${each.details.people} ${each.details.left_out}`);
    assert.deepEqual(details.toSorted(), ['0 1', '2 2']);
  }
});

test('whoever was in a drip enters again as it allows', async () => {
  const ann = await addTo(scene, 'ann');
  const expected = { never: 'may_not_reenter', after_leaving: 'in', always: 'in' };
  for (const [reentry, what] of Object.entries(expected)) {
    const drip = await begin({ reentry });
    const [id] = await enter(scene, drip, ann);
    const again = reentry === 'always' ? 'in' : 'already_in';
    assert.deepEqual(await tried(drip, { subscriber_ids: [ann] }), { ann: again }, reentry);
    await scene.marketing.take('DELETE', `/drip_campaigns/${drip}/enrollments/${id}`);
    assert.deepEqual(await tried(drip, { subscriber_ids: [ann] }), { ann: what }, reentry);
  }
});

test('people enter only while a drip runs', async () => {
  const ann = await addTo(scene, 'ann');
  const drip = await addDrip(scene, nap, { start_trigger: 'manual' });
  const refused = async (state: string) => {
    for (const body of [{ subscriber_ids: [ann] }, { subscription_list_id: scene.list }]) {
      const { status, body: told } = await post(drip, body);
      assert.deepEqual([status, told.error], [409, `Nobody can enter a drip campaign that is ${state}`]);
    }
  };
  await refused('draft');
  await steer(scene, drip, 'start');
  await steer(scene, drip, 'pause');
  await refused('paused');
  await steer(scene, drip, 'resume');
  assert.deepEqual(await tried(drip, { subscriber_ids: [] }), {});
  assert.deepEqual(await tried(drip, { subscriber_ids: [ann] }), { ann: 'in' });
  await steer(scene, drip, 'complete');
  await refused('completed');
});

test('nobody enters where one of them is unknown, another customer’s or too much; no address comes back', async () => {
  const ann = await addTo(scene, 'ann');
  const drip = await begin();
  const stranger = await scene.app.createCustomer();
  const eve = await marketingOf(scene.app, stranger).addPerson('eve@example.com');
  const foreign = await marketingOf(scene.app, stranger).addList('Theirs');
  const statuses: [object, number][] = [
    [{ subscriber_ids: [ann, eve] }, 403],
    [{ subscriber_ids: [ann, randomUUID()] }, 404],
    [{ subscriber_ids: [ann, 'nobody'] }, 404],
    [{ subscriber_ids: [ann], emails: ['eve@example.com'] }, 404],
    [{ emails: [''] }, 404],
    [{ subscription_list_id: foreign }, 403],
    [{ subscription_list_id: 999_999 }, 404],
    [{ dynamic_list_id: randomUUID() }, 404],
    [{ filters: [[{ field: 'list', op: 'is', terms: [foreign] }]] }, 403],
  ];
  for (const [body, status] of statuses) {
    const reply = await post(drip, body);
    assert.equal(reply.status, status, JSON.stringify(body));
    assert.ok(!reply.text.includes('eve'));
  }
  for (const body of [{}, { subscriber_ids: null, emails: null, dynamic_list_id: '', filters: '' }]) {
    assert.deepEqual(refusalOf(await post(drip, body)), [400, 'invalid_request', ['subscriber_ids']]);
  }
  for (const [name, value] of [
    ['subscriber_ids', ann],
    ['emails', 'ann@example.com'],
  ] as const) {
    assert.deepEqual(refusalOf(await post(drip, { [name]: many(value) })), [422, 'unprocessable', [name]]);
  }
  assert.deepEqual(await namesIn(scene, drip), []);
  assert.deepEqual(await tried(drip, { emails: many('ann@example.com').slice(1) }), { ann: 'in' });
});

test('under an Idempotency-Key people enter once', async () => {
  const ann = await addTo(scene, 'ann');
  const drip = await begin({ reentry: 'always' });
  const once = () =>
    scene.app.request('POST', `/v1/marketing/drip_campaigns/${drip}/enrollments`, {
      key: scene.customer.key,
      headers: { 'idempotency-key': 'once' },
      body: { subscriber_ids: [ann] },
    });
  const [first, second] = [await once(), await once()];
  assert.deepEqual(first.body, second.body);
  assert.equal(first.body.data.enrolled.length, 1);
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1 });
});

test('those of a list, of a segment or who fit filters enter by a job', async (t) => {
  for (const name of ['ann', 'bob', 'cyd']) await addTo(scene, name);
  const other = await scene.marketing.addList('Other');
  await scene.marketing.addPerson('ann@example.com', {}, other);
  await scene.marketing.addPerson('dan@example.com', {}, other);
  const segment = { name: 'B', rule: 'email starts with "b"' };
  const { id: segmentId } = (await scene.marketing.take('POST', '/dynamic_lists', segment)).data;
  const { ownerUrl, log } = scene.app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  t.after(() => db.close());
  const tasks = await createTestTasks(scene.app.installation, db);
  const expected: [object, Record<string, number>][] = [
    [{ subscription_list_id: scene.list }, { ann: 1, bob: 1, cyd: 1 }],
    [{ subscription_list_id: other }, { ann: 1 }],
    [{ dynamic_list_id: segmentId }, { bob: 1 }],
    [{ filters: [[{ field: 'email', op: 'is', terms: ['cyd@example.com'] }]] }, { cyd: 1 }],
  ];
  for (const [body, entered] of expected) {
    const drip = await begin();
    const { data } = (await post(drip, body)).body;
    assert.deepEqual(Object.keys(data), ['jid']);
    await tasks['marketing.bulk']?.({ customerId: scene.customer.id, jobId: data.jid });
    await scene.engine.settle();
    assert.deepEqual(await entriesOf(scene, drip), entered);
    assert.equal((await scene.marketing.take('GET', `/bulk_jobs/${data.jid}`)).data.pending, 0);
  }
});

test('a job that lets people in rests while the drip is paused, and gives up when it is over', async (t) => {
  for (const name of ['ann', 'bob']) await addTo(scene, name);
  const { ownerUrl, log } = scene.app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  t.after(() => db.close());
  const tasks = await createTestTasks(scene.app.installation, db);
  const work = (jobId: string) => tasks['marketing.bulk']?.({ customerId: scene.customer.id, jobId });
  const queued = async (jobId: string) =>
    (await rowsOf(scene.app, `select from graphile_worker._private_jobs where key = $1`, [`bulk/${jobId}`])).length;
  const jobOf = async (jobId: string) => (await scene.marketing.take('GET', `/bulk_jobs/${jobId}`)).data;
  const askAndPause = async () => {
    const drip = await begin();
    const { jid } = (await post(drip, { subscription_list_id: scene.list })).body.data;
    await steer(scene, drip, 'pause');
    await rowsOf(scene.app, 'delete from graphile_worker._private_jobs');
    await work(jid);
    assert.equal(await queued(jid), 0, 'it does not try again and again');
    assert.equal((await jobOf(jid)).state, 'waiting');
    return { drip, jid };
  };

  const { drip, jid } = await askAndPause();
  await steer(scene, drip, 'resume');
  await resumeBulkJobs({ db, clock: scene.clock });
  assert.equal(await queued(jid), 0, 'not yet');
  scene.clock.advance(61_000);
  await resumeBulkJobs({ db, clock: scene.clock });
  assert.equal(await queued(jid), 1, 'it is taken up again');
  await work(jid);
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1, bob: 1 });
  const { state, failures, total_jobs: total } = await jobOf(jid);
  assert.deepEqual([state, failures, total], ['done', 0, 2]);

  for (const [method, end] of [
    ['POST', '/complete'],
    ['DELETE', ''],
  ] as const) {
    const other = await askAndPause();
    await scene.marketing.take(method, `/drip_campaigns/${other.drip}${end}`);
    await work(other.jid);
    const ended = await jobOf(other.jid);
    assert.deepEqual([ended.state, ended.failures, ended.total_jobs, ended.pending], ['failed', 2, 2, 0]);
    const [audited] = (await auditOf(scene, 'bulk_job.finished')).filter(({ target }) => target === other.jid);
    assert.deepEqual(audited.details, { kind: 'enrol', people: 0, failures: 2 });
  }
});

test('a job that lets people in rests for as long as the drip is paused, and goes on with it', async (t) => {
  for (const name of ['ann', 'bob']) await addTo(scene, name);
  const { ownerUrl, log } = scene.app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  t.after(() => db.close());
  const tasks = await createTestTasks(scene.app.installation, db);
  const drip = await begin();
  const { jid } = (await post(drip, { subscription_list_id: scene.list })).body.data;
  const stateAfter = async (ms: number) => {
    scene.clock.advance(ms);
    await resumeBulkJobs({ db, clock: scene.clock });
    await tasks['marketing.bulk']?.({ customerId: scene.customer.id, jobId: jid });
    return (await scene.marketing.take('GET', `/bulk_jobs/${jid}`)).data.state;
  };
  await steer(scene, drip, 'pause');
  assert.equal(await stateAfter(8 * DAY), 'waiting');
  assert.equal(await stateAfter(30 * DAY), 'waiting');
  await steer(scene, drip, 'resume');
  assert.equal(await stateAfter(2 * MINUTE), 'done');
  await scene.engine.settle();
  assert.deepEqual(await entriesOf(scene, drip), { ann: 1, bob: 1 });

  const { jid: stuck } = (await post(await begin(), { subscription_list_id: scene.list })).body.data;
  scene.clock.advance(8 * DAY);
  await resumeBulkJobs({ db, clock: scene.clock });
  assert.equal((await scene.marketing.take('GET', `/bulk_jobs/${stuck}`)).data.state, 'failed', 'nothing rested since');
});

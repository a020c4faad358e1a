import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { recordAgreement } from '../../src/accounts/index.ts';
import { BlobMissing } from '../../src/platform/blob/blob-store.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { LONGEST_REQUEST_MS } from '../../src/platform/http/limits/pace.ts';
import { enqueueJob } from '../../src/platform/jobs/enqueue.ts';
import { startJobs, type Task } from '../../src/platform/jobs/runner.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { createTestTasks } from '../support/tasks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

async function query(app: TestApp, text: string): Promise<Record<string, unknown>[]> {
  return withConnection(app.installation.ownerUrl, async (client) => (await client.query(text)).rows);
}

/** Runs one task, named `test`, until the test ends. */
async function startTask(t: TestContext, { installation }: TestApp, task: Task): Promise<() => Promise<void>> {
  const stop = await startJobs({ ...installation, tasks: { test: task }, cron: [] });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => (stopped ??= stop());
  t.after(stopOnce);
  return stopOnce;
}

function enqueue({ installation }: TestApp, name: string, key = name): Promise<void> {
  return installation.db.untenanted((tx) => enqueueJob(tx, 'test', { name }, key));
}

/** The hourly sweep, as the worker would run it. */
function sweepOf(t: TestContext, { installation }: TestApp): () => Promise<void> {
  const workerDb = openDatabase(installation, 'worker', 1);
  t.after(() => workerDb.close());
  return async () => {
    const tasks = await createTestTasks(installation, workerDb);
    await (tasks['sweep.hourly'] as Task)({});
  };
}

function send(app: TestApp, { key }: TestCustomer, once: string, attachment = '') {
  const message = {
    recipients: ['ann@example.com'],
    headers: { from: 'clinic@example.org', subject: once },
    content: { 'text/plain': 'They are here.' },
    attachments: attachment === '' ? [] : [{ fileName: 'a', contentType: 'text/plain', content: attachment }],
  };
  return app.request('POST', '/v1/email/messages', {
    key,
    headers: { 'idempotency-key': once },
    body: { data: { message } },
  });
}

async function subjectsIn(app: TestApp, { key }: TestCustomer): Promise<string[]> {
  const { body } = await app.request('GET', '/v1/email/sandbox/messages', { key });
  return body.data.map((mail: { subject: string }) => mail.subject);
}

test('a job of a transaction that rolls back never runs, and one of a transaction that commits does', async (t) => {
  const app = await startApp(t);
  const ran: string[] = [];
  await startTask(t, app, async ({ name }) => void ran.push(String(name)));
  const undone = app.installation.db.untenanted(async (tx) => {
    await enqueueJob(tx, 'test', { name: 'undone' }, 'undone');
    throw new Error('rolled back');
  });
  await assert.rejects(undone, { message: 'rolled back' });
  await enqueue(app, 'done');
  await eventually(async () => (await query(app, 'select from graphile_worker.jobs')).length === 0 && ran.length > 0);
  assert.deepEqual(ran, ['done']);
});

test('a job with the key of one that still waits takes its place', async (t) => {
  const app = await startApp(t);
  for (const name of ['first', 'second', 'third']) await enqueue(app, name, 'the same');
  await enqueue(app, 'another');
  const ran: string[] = [];
  await startTask(t, app, async ({ name }) => void ran.push(String(name)));
  await eventually(async () => ran.length >= 2 && (await query(app, 'select from graphile_worker.jobs')).length === 0);
  assert.deepEqual(ran.toSorted(), ['another', 'third']);
});

test('a task that fails is tried again, and neither its payload nor its error is logged', async (t) => {
  const app = await startApp(t);
  let runs = 0;
  await startTask(t, app, async () => {
    runs += 1;
    if (runs === 1) throw new Error('marker in an error');
  });
  await enqueue(app, 'marker in a payload');
  await eventually(async () => {
    const [job] = await query(app, 'select attempts, locked_at, run_at > now() as later from graphile_worker.jobs');
    return job?.attempts === 1 && job.locked_at === null && job.later === true;
  });
  await query(
    app,
    'select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())',
  );
  await eventually(async () => runs === 2 && (await query(app, 'select from graphile_worker.jobs')).length === 0);
  assert.match(app.logged(), /"task":"test".*job failed/);
  assert.doesNotMatch(app.logged(), /marker/);
});

test('stopping waits for the task under way and leaves the others for the next start', async (t) => {
  const app = await startApp(t);
  const begun: string[] = [];
  const finished: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const stop = await startTask(t, app, async ({ name }) => {
    begun.push(String(name));
    await released;
    finished.push(String(name));
  });
  for (const name of ['one', 'two', 'three']) await enqueue(app, name);
  await eventually(async () => begun.length === 2);
  let stopped = false;
  const stopping = stop().then(() => (stopped = true));
  for (let turns = 0; turns < 100; turns += 1) await turn();
  assert.deepEqual([stopped, finished], [false, []]);
  release();
  await stopping;
  assert.deepEqual(finished.toSorted(), begun.toSorted());
  const left = await query(app, 'select key, attempts, locked_at from graphile_worker.jobs');
  assert.deepEqual(left, [{ key: 'three', attempts: 0, locked_at: null }]);

  const ran: string[] = [];
  await startTask(t, app, async ({ name }) => void ran.push(String(name)));
  await eventually(async () => ran.length > 0);
  assert.deepEqual(ran, ['three']);
});

test('jobs go on after the database was away at the moment when one of them ended', async (t) => {
  const app = await startApp(t);
  const ran: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await startTask(t, app, async ({ name }) => {
    ran.push(String(name));
    await released;
  });
  await enqueue(app, 'caught');
  await eventually(async () => ran.length === 1);
  const admin = new URL(app.installation.ownerUrl);
  const database = admin.pathname.slice(1);
  admin.pathname = '/postgres';
  await withConnection(admin.href, async (client) => {
    await client.query(`alter database ${database} allow_connections false`);
    const jobs = `from pg_stat_activity where datname = '${database}' and usename = 'carepost_jobs'`;
    await client.query(`select pg_terminate_backend(pid) ${jobs}`);
    release();
    await eventually(async () => /"err":\{"type".*side jobs ended; starting them again/.test(app.logged()));
    await client.query(`alter database ${database} allow_connections true`);
  });
  await enqueue(app, 'later');
  await eventually(async () => ran.includes('later'));
  assert.deepEqual(ran, ['caught', 'later']);
});

test('a worker has a timetable for all that happens by itself', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const known = await eventually(async () => {
    const rows = await query(app, 'select identifier from graphile_worker._private_known_crontabs order by identifier');
    return rows.length > 0 && rows.map(({ identifier }) => identifier);
  });
  assert.deepEqual(known, [
    'domains.check',
    'partitions.daily',
    'retention.daily',
    'reviews.hourly',
    'sweep.hourly',
    'tls-reports.send',
  ]);
});

test('the hourly sweep removes expired replies and sandbox mail, and nothing before its time', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_ROLES: 'http,worker', CAREPOST_RETENTION: 'sandbox=7d' } });
  const customer = await app.createCustomer();
  const sweep = sweepOf(t, app);
  const replies = async () => (await query(app, 'select from idempotency_keys')).length;
  const mail = (count: number) =>
    eventually(async () => {
      const subjects = await subjectsIn(app, customer);
      return subjects.length === count && subjects;
    });

  await send(app, customer, 'old');
  await mail(1);
  clock.advance(DAY_MS - MINUTE_MS);
  await sweep();
  assert.equal(await replies(), 1);
  clock.advance(2 * MINUTE_MS);
  await send(app, customer, 'middle');
  await sweep();
  assert.equal(await replies(), 1, 'the first is older than a day');

  clock.advance(6 * DAY_MS - HOUR_MS);
  await send(app, customer, 'new');
  await mail(3);
  await sweep();
  assert.deepEqual((await subjectsIn(app, customer)).toSorted(), ['middle', 'new', 'old']);
  clock.advance(2 * HOUR_MS);
  await sweep();
  assert.deepEqual((await subjectsIn(app, customer)).toSorted(), ['middle', 'new']);
  assert.equal(await replies(), 1);
  assert.equal((await query(app, 'select from messages')).length, 3, 'messages are not sandbox mail');
});

test('the hourly sweep removes counts of windows that are past', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const before = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
  await query(
    app,
    `insert into rate_counts values ('past', '${before(HOUR_MS + MINUTE_MS)}', 1),
       ('open', '${before(HOUR_MS - MINUTE_MS)}', 1), ('now', '${before(0)}', 1)`,
  );
  await sweepOf(t, app)();
  assert.deepEqual(await query(app, 'select subject from rate_counts order by subject'), [
    { subject: 'now' },
    { subject: 'open' },
  ]);
});

test('the hourly sweep removes files that nothing refers to, once no request can still be writing their row', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { id } = await app.createCustomer();
  const { blobs, blobStore } = app.installation;
  const sweep = sweepOf(t, app);
  const orphan = await blobs.write(id, [Buffer.from('nobody wants it')]);
  const pdf = Buffer.from('%PDF-1.7');
  const agreement = { version: '2', signer: 'Ann', signedOn: '2024-01-01', endsOn: null, pdf };
  await recordAgreement(app.installation, app.act(id, 'agreement.recorded'), agreement);
  const [{ wanted }] = (await query(app, 'select id as wanted from blobs')) as [{ wanted: string }];

  clock.advance(2 * LONGEST_REQUEST_MS - MINUTE_MS);
  await sweep();
  await blobStore.size(orphan.id);
  clock.advance(2 * MINUTE_MS);
  await sweep();
  await assert.rejects(blobStore.size(orphan.id), BlobMissing);
  const read = Buffer.concat(await Array.fromAsync(blobs.read(id, wanted)));
  assert.deepEqual(read, pdf);
});

test('sandbox mail that went to the blob store leaves it when it is swept', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_ROLES: 'http,worker', CAREPOST_RETENTION: 'sandbox=7d' } });
  const customer = await app.createCustomer();
  await send(app, customer, 'large', Buffer.alloc(200_000, 'x').toString('base64'));
  await eventually(async () => (await subjectsIn(app, customer)).length === 1);
  const [{ blob_id: blobId }] = (await query(app, 'select blob_id from sandbox_messages')) as [{ blob_id: string }];
  await app.installation.blobStore.size(blobId);
  clock.advance(8 * DAY_MS);
  await sweepOf(t, app)();
  assert.deepEqual(await query(app, 'select from sandbox_messages'), []);
  await assert.rejects(app.installation.blobStore.size(blobId), BlobMissing);
});

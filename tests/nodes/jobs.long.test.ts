import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { before, type TestContext, test } from 'node:test';
import { createPool, withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { enqueueJob } from '../../src/platform/jobs/enqueue.ts';
import { createJobBeat } from '../../src/platform/jobs/lost-jobs.ts';
import { startJobs, type Task, takingLong } from '../../src/platform/jobs/runner.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';

const MINUTE_MS = 60_000;
const NODES = [1, 2, 3];
const RUNNER = new URL('../../src/platform/jobs/runner.ts', import.meta.url).href;

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

function sql(text: string) {
  return withConnection(app.installation.ownerUrl, async (client) => (await client.query(text)).rows);
}

function jobsLeft() {
  return sql('select from graphile_worker.jobs');
}

test('of one time of the cron there is one job, whichever of three nodes begin at once', async (t) => {
  const ran: number[] = [];
  const start = () =>
    startJobs({
      ...app.installation,
      tasks: { tick: async ({ _cron }) => void ran.push(Date.parse((_cron as { ts: string }).ts)) },
      cron: [{ task: 'tick', schedule: '* * * * *', catchUpMs: 5 * MINUTE_MS }],
    });
  // Known for long, and not run for five minutes: each node that begins finds the same times missed.
  await sql(`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('tick', now() - interval '1 day', now() - interval '5 minutes')`);
  const stops = await Promise.all(NODES.map(start));
  t.after(() => Promise.all(stops.map((stop) => stop())));
  await eventually(async () => ran.length >= 4 && (await jobsLeft()).length === 0);
  await Promise.all(stops.map((stop) => stop()));
  stops.length = 0;
  assert.equal(new Set(ran).size, ran.length, 'no time comes twice');
  assert.ok(ran.length <= 6, String(ran.length));
  for (const at of ran) assert.equal(at % MINUTE_MS, 0);
});

test('jobs that take long leave room for those that do not', async (t) => {
  const done: string[] = [];
  const release = Promise.withResolvers<void>();
  let waiting = 0;
  const long: Task = async () => {
    waiting += 1;
    await release.promise;
  };
  const tasks = { ...takingLong({ long }), short: async () => void done.push('short') };
  const stop = await startJobs({ ...app.installation, tasks, cron: [] });
  t.after(stop);
  t.after(() => release.resolve());
  await app.installation.db.untenanted(async (tx) => {
    for (const number of [1, 2, 3, 4]) await enqueueJob(tx, 'long', { number }, `long ${number}`);
  });
  await eventually(async () => waiting === 2);
  await app.installation.db.untenanted((tx) => enqueueJob(tx, 'short', {}, 'short'));
  await eventually(async () => done.length === 1);
  assert.equal(waiting, 2);
  release.resolve();
  await eventually(async () => (await jobsLeft()).length === 0);
  assert.equal(waiting, 4);
});

/** A node that takes a job and never ends it, as a process of its own. */
function startDoomedNode(t: TestContext) {
  const script = `
    import { startJobs } from '${RUNNER}';
    const log = { debug() {}, warn() {}, error() {} };
    const tasks = { lost: () => new Promise(() => {}) };
    await startJobs({ ownerUrl: process.argv[1], log, clock: { now: () => new Date() }, tasks, cron: [] });`;
  const args = ['--input-type=module', '--eval', script, app.installation.ownerUrl];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** The beat of another node, with a clock of its own. */
function openBeat(t: TestContext) {
  const { ownerUrl, log } = app.installation;
  const pool = createPool({ url: urlForRole(ownerUrl, 'jobs'), max: 1, log, name: 'test' });
  t.after(() => pool.end());
  const clock = createMovableClock();
  const beat = createJobBeat({ pool, clock }, { pools: new Set(['me']), jobs: new Set() });
  const beatForAMinute = async () => {
    await beat();
    for (const _ of [1, 2]) {
      clock.advance(MINUTE_MS / 2);
      await beat();
    }
  };
  return { clock, beat, beatForAMinute };
}

test('what a node that was killed had begun is done by another, and what a living one is at stays with it', async (t) => {
  const done: string[] = [];
  const release = Promise.withResolvers<void>();
  t.after(() => release.resolve());
  const held: Task = async () => {
    done.push('held');
    await release.promise;
  };
  t.after(await startJobs({ ...app.installation, tasks: { held }, cron: [] }));
  await app.installation.db.untenanted((tx) => enqueueJob(tx, 'held', {}, 'held'));
  await eventually(async () => done.length === 1);
  await sql(`update graphile_worker._private_jobs set locked_at = now() - interval '3 hours' where key = 'held'`);

  const doomed = startDoomedNode(t);
  const killed = new Promise((resolve) => doomed.once('exit', resolve));
  await app.installation.db.untenanted((tx) => enqueueJob(tx, 'lost', {}, 'lost'));
  const { id } = await eventually(async () => {
    const [worker] =
      await sql(`select w.id from job_workers w join graphile_worker._private_jobs j on j.locked_by = w.id
      where j.key = 'lost'`);
    return worker;
  });
  doomed.kill('SIGKILL');
  await killed;
  await sql(`update job_workers set seen_at = now() - interval '61 seconds' where id = '${id}'`);

  const tasks = { lost: async () => void done.push('lost'), held };
  t.after(await startJobs({ ...app.installation, tasks, cron: [] }));
  await openBeat(t).beatForAMinute();
  await eventually(async () => done.length > 1);
  assert.deepEqual(done, ['held', 'lost']);
  assert.deepEqual(await sql(`select from job_workers where id = '${id}'`), []);
  // Else the library would have another node begin it after four hours.
  await eventually(async () => {
    const [job] = await sql(`select locked_at > now() - interval '1 minute' as fresh from graphile_worker.jobs`);
    return job?.fresh;
  });
  release.resolve();
  await eventually(async () => (await jobsLeft()).length === 0);
  assert.deepEqual(done, ['held', 'lost']);
});

test('after the database was away nobody is taken for dead before they had a minute to come back', async (t) => {
  await app.installation.db.untenanted((tx) => enqueueJob(tx, 'held', {}, 'held'));
  t.after(() => sql(`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`));
  await sql(`update graphile_worker._private_jobs set locked_by = 'other', locked_at = now()`);
  await sql(`insert into job_workers values ('other', now())`);
  const lockedBy = async () => (await sql('select locked_by from graphile_worker.jobs'))[0]?.locked_by;
  const { clock, beat, beatForAMinute } = openBeat(t);
  await beatForAMinute();
  clock.advance(MINUTE_MS + 1);
  await sql(`update job_workers set seen_at = seen_at - interval '61 seconds'`);
  await beat();
  assert.equal(await lockedBy(), 'other');
  clock.advance(MINUTE_MS / 2);
  await beat();
  assert.equal(await lockedBy(), 'other');
  clock.advance(MINUTE_MS / 2);
  await beat();
  assert.equal(await lockedBy(), null);
});

test('a stop does not wait for a job without end, which another node then does', { timeout: MINUTE_MS }, async (t) => {
  const release = Promise.withResolvers<void>();
  t.after(() => release.resolve());
  let begun = 0;
  const endless = async () => {
    begun += 1;
    await release.promise;
  };
  // Long enough for those that look for jobs to have stopped: one would take what is given back.
  const stop = await startJobs({ ...app.installation, tasks: { endless }, cron: [], stopWithinMs: 500 });
  await app.installation.db.untenanted((tx) => enqueueJob(tx, 'endless', {}, 'endless'));
  await eventually(async () => begun === 1);
  await stop();
  const [job] = await sql('select attempts, locked_by, locked_at from graphile_worker.jobs');
  assert.deepEqual(job, { attempts: 1, locked_by: null, locked_at: null });

  const done: string[] = [];
  t.after(
    await startJobs({ ...app.installation, tasks: { endless: async () => void done.push('endless') }, cron: [] }),
  );
  await eventually(async () => (await jobsLeft()).length === 0);
  assert.deepEqual([begun, done], [1, ['endless']]);
});

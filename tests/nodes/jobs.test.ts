import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { createPool, withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { enqueueJob } from '../../src/platform/jobs/enqueue.ts';
import { keepJobsMoving } from '../../src/platform/jobs/lost-jobs.ts';
import { startJobs, type Task, takingLong } from '../../src/platform/jobs/runner.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const MINUTE_MS = 60_000;
const NODES = [1, 2, 3];

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

/** Makes it look as if a worker had begun a job two minutes ago. */
function lock(task: string, worker: string): string {
  return `update graphile_worker._private_jobs set locked_by = '${worker}', locked_at = now() - interval '2 minutes'
    where key = '${task}'`;
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

test('what a dead node had begun is done by another within a minute', async (t) => {
  const done: unknown[] = [];
  const { ownerUrl, db, log } = app.installation;
  await db.untenanted((tx) => enqueueJob(tx, 'lost', {}, 'lost'));
  await db.untenanted((tx) => enqueueJob(tx, 'held', {}, 'held'));
  await sql(lock('lost', 'dead'));
  await sql(lock('held', 'alive'));
  await sql(`insert into job_workers values ('dead', now() - interval '61 seconds'), ('alive', now())`);
  const tasks = { lost: async () => void done.push('lost'), held: async () => void done.push('held') };
  t.after(await startJobs({ ownerUrl, log, tasks, cron: [] }));
  const pool = createPool({ url: urlForRole(ownerUrl, 'jobs'), max: 1, log, name: 'test' });
  t.after(() => pool.end());
  await keepJobsMoving(pool, ['me']);
  await eventually(async () => done.length > 0);
  assert.deepEqual(done, ['lost']);
  const left = await sql('select id from job_workers order by id');
  assert.deepEqual(
    left.map(({ id }) => id).filter((id) => !id.startsWith('worker-')),
    ['alive', 'me'],
  );
});

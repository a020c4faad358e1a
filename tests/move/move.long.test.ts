import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { listTables } from '../../src/operations/move/catalogue.ts';
import { compareAll } from '../../src/operations/move/compare.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { type Ended, runHere, runProcess } from '../support/command-line.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { type OwnServer, startPostgres15 } from '../support/postgres-15.ts';
import { schemaDifferences } from '../support/schema.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const JOBS = 'select count(*)::int as n from graphile_worker._private_jobs';
const UNCHAINED = `select count(*)::int as n from audit_log l
  where not exists (select from audit_chain c where c.audit_id = l.id)`;

let source: TestApp;
let owner: Owner;
let server: OwnServer;
let sourceUrl: string;
let env: Record<string, string>;

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  return withConnection(url, async (client) => (await client.query(text)).rows);
}

const count = async (url: string, text: string) => (await query(url, text))[0]?.n;
const move = (to: string, more = {}): Promise<Ended> =>
  runHere(['database', 'move', '--to', to, '--json'], { ...env, ...more });

/** Somebody who joins the source migrates it after the move has looked at its version. */
async function migrateMeanwhile(to: string): Promise<Ended> {
  return withConnection(to, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('carepost migrations'))`);
    const moving = move(to);
    await eventually(async () => {
      const { rows } = await client.query(`select to_regclass('public.unfinished_move') is not null as begun`);
      return rows[0].begun;
    });
    await query(sourceUrl, `insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`);
    await client.query(`select pg_advisory_unlock(hashtext('carepost migrations'))`);
    const ended = await moving;
    await query(sourceUrl, `delete from schema_migrations where name = '9999_later.sql'`);
    return ended;
  });
}

/** Lets a move that has copied most tables wait at one of the last; returns what it says once it may go on. */
async function moveWithBreak(
  to: string,
  pause: (child: ChildProcess, goOn: () => Promise<string>) => Promise<string>,
): Promise<string> {
  return withConnection(to, async (client) => {
    await client.query('begin; lock table sts_policies in access exclusive mode');
    const child = spawn(process.execPath, [MAIN, 'database', 'move', '--to', to], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await eventually(async () => {
      assert.equal(child.exitCode, null, said);
      const { rows } = await client.query(
        `select from pg_locks where not granted and relation = 'sts_policies'::regclass`,
      );
      return rows.length > 0;
    }, 120_000);
    return pause(child, async () => {
      await client.query('rollback');
      await ended;
      return said;
    });
  });
}

/** Changes one word in the target, which nobody keeps. */
async function assertDifferenceIsFound(to: string): Promise<void> {
  await withConnection(sourceUrl, (here) =>
    withConnection(to, async (there) => {
      const agreements = (await listTables(here)).filter(({ name }) => name === 'public.agreements');
      await there.query('begin; alter table agreements no force row level security');
      await compareAll(here, there, agreements);
      await there.query(`update agreements set signer = signer || ' '`);
      const difference = /^Error: public\.agreements differs after the copy: 1 rows here and 1 there$/;
      await assert.rejects(compareAll(here, there, agreements), difference);
    }),
  );
}

before(async (context) => {
  const t = context as TestContext;
  source = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  sourceUrl = source.installation.ownerUrl;
  env = {
    CAREPOST_DATABASE_URL: sourceUrl,
    CAREPOST_DATA_DIR: source.installation.config.dataDir,
    CAREPOST_LIMITS: 'free-disk=1MB',
  };
  // The numbers of transactions here are far ahead of those of a server that was only just made.
  await query(sourceUrl, 'do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$');
  owner = await createOwner(source);
  await query(sourceUrl, 'delete from audit_cuts'); // which nobody has signed
  server = await startPostgres15(t);
});

test('a move is refused while a server runs, and to what is no address', async () => {
  const { code, out, err } = await move(await server.createDatabase());
  assert.deepEqual([code, out], [1, '']);
  assert.equal(err, 'carepost: the product still works on this database: stop every node of it first\n');
  const wrong = await move('mysql://a:b@c/d');
  assert.equal(wrong.err, 'carepost: --to takes an address such as postgres://USER:PASSWORD@HOST/DATABASE\n');
});

test('everything is moved to an older server whose owner is modest, also after a first try was killed', async (t) => {
  await source.stop();
  const rotated = await runHere(['vault', 'rotate', '--customer', String(owner.id)], env);
  assert.equal(rotated.code, 0, rotated.err);
  assert.equal(await count(sourceUrl, JOBS), 1, 'a job waits');
  const to = await server.createDatabase();

  const { err: changed } = await migrateMeanwhile(to);
  assert.match(changed, /^carepost: something has migrated the database while it was moved: stop every node and/);
  const joined = await moveWithBreak(to, (_, goOn) => withConnection(urlForRole(sourceUrl, 'app'), goOn));
  assert.equal(joined, 'carepost: the product still works on this database: stop every node of it first\n');
  await moveWithBreak(to, (child, goOn) => {
    child.kill('SIGKILL');
    return goOn();
  });
  assert.equal(await count(to, 'select count(*)::int as n from customers'), 0);
  const unfinished = await runProcess(['serve'], { ...env, CAREPOST_DATABASE_URL: to });
  assert.equal(
    unfinished.err,
    'carepost: this database is one that was not moved to the end: run carepost database move again\n',
  );

  const { code, out, err } = await move(to);
  assert.equal(err, '');
  const report = JSON.parse(out);
  assert.deepEqual(report.audit.faults, []);
  assert.equal(code, 0);
  assert.ok(report.audit.rows > 0 && report.tables.length > 100, out); // how many are sealed by now is a matter of time
  assert.deepEqual(await schemaDifferences(sourceUrl, process.env.CAREPOST_TEST_DATABASE as string), [], 'untouched');
  assert.deepEqual(await schemaDifferences(sourceUrl, to), []);
  assert.equal((await move(to)).err, 'carepost: --to takes an empty database, and this one holds something\n');

  await assertDifferenceIsFound(to);
  const app = await startApp(t, {
    beside: source,
    env: { CAREPOST_DATABASE_URL: to, CAREPOST_ROLES: 'http,worker' },
  });
  const { key, messageId, formIds, submissionIds } = owner;
  const submission = await app.request('GET', `/api/forms/${formIds[0]}/submissions/${submissionIds[0]}`, { key });
  assert.equal(submission.status, 200, submission.text);
  const message = {
    recipients: ['x@example.com'],
    headers: { from: 'a@example.org', subject: 'S' },
    content: { 'text/plain': 'T' },
  };
  const sent = await app.request('POST', '/v1/email/messages', { key, body: { data: { message } } });
  assert.equal(sent.status, 200, sent.text);
  assert.notEqual(sent.body.sourceTrackingId, messageId);
  await eventually(async () => (await count(to, JOBS)) === 0);
  await eventually(async () => (await count(to, UNCHAINED)) === 0);
  await app.stop();
  const verified = await runHere(['audit', 'verify', '--json'], { ...env, CAREPOST_DATABASE_URL: to });
  assert.equal(verified.code, 0, verified.out);
  assert.deepEqual(await query(urlForRole(to, 'app'), 'select from submissions'), [], 'the walls stand');

  const newer = await createEmptyDatabase(t);
  const onward = await move(newer, { CAREPOST_DATABASE_URL: to });
  assert.equal(onward.code, 0, onward.err);
  const moves = `select count(*)::int as n from audit_log where action = 'database.moved'`;
  assert.equal(await count(newer, moves), 2, 'both are on record');
  assert.equal(JSON.parse(onward.out).audit.rows, JSON.parse(verified.out).rows);
  assert.deepEqual(await schemaDifferences(newer, to), []);
});

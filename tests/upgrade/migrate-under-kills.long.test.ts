import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { runProcess } from '../support/command-line.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { eventually } from '../support/eventually.ts';
import { schemaDifferences } from '../support/schema.ts';

const MIGRATE = join(import.meta.dirname, '..', '..', 'src', 'platform', 'db', 'migrate.ts');
const KILLS = 10;
const EARLY = new Set(readMigrations().flatMap(({ name }) => (name < '0042' ? [name] : [])));
const LATE = readMigrations().filter(({ name }) => !EARLY.has(name));
const FILL = `
  insert into customers (name, username, created_at) select 'Clinic', 'clinic-' || n, now() from generate_series(1, 50) n;
  insert into users (id, customer_id, email, role, created_at)
    select gen_random_uuid(), id, username || '@example.org', 'owner', now() from customers;
  insert into forms (id, customer_id, title, created_at, updated_at)
    select gen_random_uuid(), id, 'Intake', now(), now() from customers, generate_series(1, 20);
  insert into idempotency_keys (customer_id, operation, key_hash, request_hash, status, reply, created_at)
    select id, 'x', sha256(n::text::bytea), '', 200, '', now() from customers, generate_series(1, 40) n`;
const HOLDS = `select (select count(*) from customers)::int as customers, (select count(*) from forms)::int as forms,
  (select count(*) from form_texts)::int as texts, (select md5(string_agg(u::text, '' order by u)) from
    (select (id, customer_id, email, role, created_at)::text as u from users) x) as users`;

let early: string;
let fresh: string;
let folder: string;

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  return withConnection(url, async (client) => (await client.query(text)).rows);
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const applied = async (url: string) => Number((await query(url, 'select count(*) as n from schema_migrations'))[0]?.n);

before(async (context) => {
  const t = context as TestContext;
  folder = mkdtempSync(join(tmpdir(), 'carepost-migrate-'));
  t.after(() => rmSync(folder, { recursive: true }));
  [early, fresh] = [await createEmptyDatabase(t), await createEmptyDatabase(t)];
  await Promise.all([migrate(early, { only: EARLY }), migrate(fresh)]);
  await query(early, FILL);
});

const envOf = (url: string) => ({ CAREPOST_DATABASE_URL: url, CAREPOST_DATA_DIR: join(folder, nameOf(url)) });

/** Kills a process that migrates at some moment after so many migrations are in. */
async function killAfter(url: string, count: number): Promise<number> {
  const script = `import { migrate } from '${MIGRATE}'; await migrate('${url}');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await withConnection(url, (client) =>
    eventually(async () => {
      const { rows } = await client.query('select count(*)::int as n from schema_migrations');
      return rows[0].n >= EARLY.size + count;
    }),
  );
  await sleep(Math.random() * 10);
  child.kill('SIGKILL');
  await ended;
  return applied(url);
}

test(`an upgrade that is killed ${KILLS} times at random moments is finished by the next start`, async (t) => {
  const held = await query(early, HOLDS);
  let inTheMiddle = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const url = await createEmptyDatabase(t, nameOf(early));
    const done = await killAfter(url, kill % LATE.length);
    if (done < EARLY.size + LATE.length) inTheMiddle += 1;
    await migrate(url);
    assert.deepEqual(await schemaDifferences(url, fresh), [], `killed after ${done}`);
    assert.deepEqual(await query(url, HOLDS), held);
  }
  assert.ok(inTheMiddle >= KILLS / 2, `${inTheMiddle} kills hit a migration`);
});

test('the command says what is to be done, does it, and then finds nothing more', async (t) => {
  const url = await createEmptyDatabase(t, nameOf(early));
  await query(url, `grant create on database ${nameOf(url)} to carepost_jobs`); // a copy has no rights of the original
  const run = (...args: string[]) => runProcess(['migrate', ...args], envOf(url));
  const checked = await run('--check', '--json');
  assert.deepEqual([checked.code, checked.err], [1, '']);
  assert.deepEqual(JSON.parse(checked.out), { pending: LATE.map(({ name, beside }) => ({ name, beside })) });
  assert.equal(await applied(url), EARLY.size, 'asking changes nothing');
  const { code, out, err } = await run();
  assert.equal(code, 0, err);
  assert.match(out, /^Applying:\n {2}0042_sign_in\.sql {2}\(not beside the version before: stop its nodes first\)\n/);
  assert.match(out, /\n {2}0046_backups\.sql\n[^]+\nThe database is up to date\.\n$/);
  assert.deepEqual(await run('--check'), { code: 0, out: 'The database is up to date.\n', err: '' });
});

test('a version starts on the schema of the next one only where every migration of that one allows it', async (t) => {
  const url = await createEmptyDatabase(t, nameOf(fresh));
  const next = (name: string, beside: boolean) =>
    query(url, `insert into schema_migrations values ('${name}', '', now(), ${beside})`);
  await next('9001_next.sql', true);
  assert.deepEqual(await migrate(url), []);
  await next('9002_next.sql', false);
  await assert.rejects(migrate(url), {
    message:
      'the database belongs to a newer version (migration 9002_next.sql), beside which this one cannot run: install that version, or restore the backup made before it',
  });
});

test('while a migration waits for a table, nobody else waits for it longer than two seconds', async (t) => {
  const url = await createEmptyDatabase(t, nameOf(early));
  await withConnection(url, async (holder) => {
    await holder.query('begin; select from users');
    let done = false;
    const migrating = migrate(url).finally(() => (done = true));
    await withConnection(url, async (reader) => {
      await reader.query(`set statement_timeout = '2s'`);
      for (let waits = 0; waits < 2; waits += 1) {
        await eventually(async () => {
          assert.equal(done, false);
          const { rows } = await reader.query(
            `select from pg_locks where not granted and relation = 'users'::regclass`,
          );
          return rows.length > 0;
        });
        await reader.query('select from users limit 1');
      }
    });
    await holder.query('rollback');
    assert.equal((await migrating).length, LATE.length);
  });
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { startApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';

const SETTING = `ANY ((NULLIF(current_setting('carepost.customers'::text, true), ''::text))::integer[]))`;
/** The same where a table is read by the thousands: asked for once by a statement. */
const SETTING_ONCE = `ANY (( SELECT (NULLIF(current_setting('carepost.customers'::text, true), ''::text))::integer[] AS "nullif")::integer[]))`;
const LOGIN_ROLES = ['carepost_app', 'carepost_worker', 'carepost_sealer', 'carepost_jobs'];
const OURS = `not in ('pg_catalog', 'information_schema', 'pg_toast', 'graphile_worker')`;

/** Tables, partitions and views with a customer_id that are not walled off by forced security and the tenant policy. */
const UNPROTECTED = `
  select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id' and not a.attisdropped)
    and not (c.relrowsecurity and c.relforcerowsecurity and (c.relispartition or exists (
      select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant' and p.polcmd = '*' and p.polpermissive
        and p.polroles = array['carepost_app'::regrole::oid, 'carepost_worker'::regrole::oid]
        and pg_get_expr(p.polqual, p.polrelid) = any($1) and pg_get_expr(p.polwithcheck, p.polrelid) = ($1)[1])))
  order by 1`;

/** Functions that run with their owner's rights and could be misused for more than they are for. */
const UNSAFE_DEFINERS = `
  select p.oid::regprocedure::text as name from pg_proc p join pg_roles r on r.oid = p.proowner
    join pg_namespace n on n.oid = p.pronamespace
  where p.prosecdef and n.nspname ${OURS} and not (
    r.rolname in ('carepost_finder', 'carepost_jobs') and not r.rolsuper and not r.rolbypassrls
    and coalesce(p.proconfig, '{}') @> array['search_path=public, pg_temp']
    and not exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0))
  order by 1`;

const PARTITION_GRANTS = `
  select c.relname || ' to ' || coalesce(r.rolname, 'public') as name
  from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
  where c.relispartition and c.relkind = 'r' and a.grantee <> c.relowner order by 1`;

const ROLE_FAULTS = `
  select r.rolname || ' ' || fault as name from pg_roles r, lateral (values
    ('is a superuser', r.rolsuper), ('bypasses row security', r.rolbypassrls), ('makes roles', r.rolcreaterole),
    ('makes databases', r.rolcreatedb), ('replicates', r.rolreplication),
    ('is a member of a role', exists (select from pg_auth_members m where m.member = r.oid)),
    ('owns a table with a customer_id', exists (
      select from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relowner = r.oid and a.attname = 'customer_id' and not a.attisdropped))
  ) as checks (fault, found)
  where r.rolname = any($1) and found order by 1`;

async function names(client: Client, query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query(query, values);
  return rows.map((row: { name: string }) => row.name);
}

function unprotected(client: Client): Promise<string[]> {
  return names(client, UNPROTECTED, [[`(customer_id = ${SETTING}`, `(customer_id = ${SETTING_ONCE}`]]);
}

async function onTestDatabase(t: TestContext, work: (client: Client) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await withConnection(database.url, work);
}

test('every table with a customer_id has row security enabled and forced, and the tenant policy', (t) =>
  onTestDatabase(t, async (client) => {
    const { rows } = await client.query(
      `select count(*) filter (where c.relispartition)::int as partitions, count(*)::int as tables
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'customer_id' and c.relkind in ('r', 'p')`,
    );
    assert.ok(rows[0].partitions >= 20 && rows[0].tables >= 40, 'there are tables to look at');
    assert.deepEqual(await unprotected(client), []);
  }));

test('the table of customers itself is walled off by its id', (t) =>
  onTestDatabase(t, async (client) => {
    const { rows } = await client.query(
      `select c.relrowsecurity and c.relforcerowsecurity as forced, pg_get_expr(p.polqual, c.oid) as using,
         pg_get_expr(p.polwithcheck, c.oid) as "check"
       from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant' where c.relname = 'customers'`,
    );
    assert.deepEqual(rows, [{ forced: true, using: `(id = ${SETTING}`, check: `(id = ${SETTING}` }]);
  }));

test('a table that forgot any part of its protection is named', (t) =>
  onTestDatabase(t, async (client) => {
    const tables = ['bare', 'not_forced', 'no_policy', 'wide_open', 'unchecked', 'protected', 'parent'];
    for (const table of tables) {
      const rest = table === 'parent' ? 'partition by range (customer_id)' : '';
      await client.query(`create table ${table} (customer_id int not null) ${rest}`);
      if (table !== 'bare') await client.query(`call carepost_protect('${table}')`);
    }
    await client.query(`
      alter table not_forced no force row level security;
      drop policy tenant on no_policy;
      alter policy tenant on wide_open using (true);
      alter policy tenant on unchecked with check (true);
      create table parent_part partition of parent default;
      create view overview as select customer_id from protected;
      create schema elsewhere;
      create table elsewhere.hidden (customer_id int)`);
    const expected = ['bare', 'elsewhere.hidden', 'no_policy', 'not_forced', 'overview', 'parent_part', 'unchecked'];
    assert.deepEqual(await unprotected(client), [...expected, 'wide_open']);
  }));

test('nobody but the owner has any grant on a partition', (t) =>
  onTestDatabase(t, async (client) => {
    assert.deepEqual(await names(client, PARTITION_GRANTS), []);
    await client.query(`grant select on messages_other to carepost_app; grant insert on audit_log_other to public`);
    assert.deepEqual(await names(client, PARTITION_GRANTS), [
      'audit_log_other to public',
      'messages_other to carepost_app',
    ]);
  }));

test('the roles that log in have no way around the policies', (t) =>
  onTestDatabase(t, async (client) => {
    const known = await names(client, 'select rolname as name from pg_roles where rolname = any($1)', [LOGIN_ROLES]);
    assert.deepEqual(known.toSorted(), LOGIN_ROLES.toSorted());
    assert.deepEqual(await names(client, ROLE_FAULTS, [[...LOGIN_ROLES, 'carepost_finder']]), []);
    // Roles are shared by every database of the cluster: what is granted here is never committed.
    await client.query(`begin; grant carepost_finder to carepost_app; alter role carepost_worker bypassrls;
      create table mine (customer_id int); grant create on schema public to carepost_jobs; alter table mine owner to carepost_jobs`);
    assert.deepEqual(await names(client, ROLE_FAULTS, [LOGIN_ROLES]), [
      'carepost_app is a member of a role',
      'carepost_jobs owns a table with a customer_id',
      'carepost_worker bypasses row security',
    ]);
    await client.query('rollback');
  }));

test('functions with the rights of their owner belong to a narrow role, fix their search path and are not public', (t) =>
  onTestDatabase(t, async (client) => {
    const all = await names(client, 'select proname as name from pg_proc where prosecdef');
    assert.ok(all.length >= 7 && all.includes('find_api_keys') && all.includes('enqueue_job'));
    assert.deepEqual(await names(client, UNSAFE_DEFINERS), []);
    for (const name of ['by_owner', 'by_anyone', 'by_any_path']) {
      const path = name === 'by_any_path' ? '' : 'set search_path = public, pg_temp';
      await client.query(`create function ${name}() returns int language sql security definer ${path} as 'select 1'`);
      if (name !== 'by_owner') await client.query(`alter function ${name}() owner to carepost_finder`);
      if (name !== 'by_anyone') await client.query(`revoke all on function ${name}() from public`);
    }
    assert.deepEqual(await names(client, UNSAFE_DEFINERS), ['by_any_path()', 'by_anyone()', 'by_owner()']);
  }));

test('without a customer no row is seen, and none is written for another customer', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await app.createCustomer(), await app.createCustomer()];
  const { ownerUrl, log, db } = app.installation;
  const tables = ['api_keys', 'agreements', 'customer_keys', 'audit_log'] as const;
  const seenBy = (customers: number[]) =>
    db.tenant(customers, async (tx) => {
      const found = await Promise.all(tables.map((table) => tx.selectFrom(table).selectAll().execute()));
      return found.map((rows) => [...new Set(rows.map((row) => row.customer_id))]);
    });
  assert.deepEqual(await db.untenanted((tx) => tx.selectFrom('api_keys').selectAll().execute()), []);
  assert.deepEqual(await seenBy([]), [[], [], [], []]);
  assert.deepEqual(await db.tenant([one.id], (tx) => tx.selectFrom('customers').select('id').execute()), [
    { id: one.id },
  ]);
  assert.deepEqual(
    await seenBy([one.id]),
    tables.map(() => [one.id]),
  );
  assert.deepEqual(
    (await seenBy([one.id, other.id])).map((ids) => ids.toSorted((a, b) => a - b)),
    tables.map(() => [one.id, other.id]),
  );
  const worker = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => worker.close());
  for (const as of [db, worker]) {
    const forge = as.tenant([one.id], (tx) =>
      tx
        .insertInto('audit_log')
        .values({
          id: crypto.randomUUID(),
          customer_id: other.id,
          at: new Date().toISOString(),
          actor_kind: 'cli',
          actor_id: 'test',
          action: 'forged',
          target: null,
          request_id: null,
          details: null,
        })
        .execute(),
    );
    await assert.rejects(forge, { code: '42501' });
  }
});

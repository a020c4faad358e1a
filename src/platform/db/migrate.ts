import { setTimeout as sleep } from 'node:timers/promises';
import { isPassingConflict } from './failure.ts';
import { type Migration, pendingOf, readApplied } from './migrations.ts';
import { type Client, withConnection } from './pool.ts';
import { refuseLiveNodes } from './refuse-live-nodes.ts';
import { refuseUnfitDatabase } from './refuse-unfit-database.ts';
import { ensureRoles, requirePassword } from './roles.ts';

const OLDEST_SERVER = 150_000;
const TURN_POLL_MS = 100;
// Whoever wants a row of a table waits behind a migration that waits for its lock, so it gives up early and tries again.
const LOCK_TIMEOUT_MS = 1_500;
const LOCK_PAUSE_MS = 500;
const LOCK_PATIENCE_MS = 120_000;

/** Stands in a database while another one is moved into it. */
export const UNFINISHED_MOVE = 'unfinished_move';

interface Options {
  /** The migrations of a database that is moved here: no more and no less of them are run. */
  only?: ReadonlySet<string>;
  /** Whether they run also under nodes of the version before that do not stand them. */
  force?: boolean;
}

/**
 * Brings the schema up to date and returns the names of what it applied. Safe to call on several
 * nodes at once: one applies while the others wait, then find nothing left to do.
 */
export async function migrate(ownerUrl: string, { only, force = false }: Options = {}): Promise<string[]> {
  requirePassword(ownerUrl);
  await withConnection(ownerUrl, async (client) => {
    await refuseOldServer(client);
    if (only === undefined) await refuseUnfinishedMove(client);
    await refuseUnfitDatabase(client);
  });
  await ensureRoles(ownerUrl);
  return withConnection(ownerUrl, async (client) => {
    await takeTurn(client);
    await noteWhatRan(client);
    const applied = await readApplied(client);
    const pending = pendingOf(applied);
    const wanted = only === undefined ? pending : pending.filter(({ name }) => only.has(name));
    // Whoever is connected to an empty database is another node, trying out its roles.
    if (!force && applied.size > 0) await refuseLiveNodes(client, wanted);
    for (const migration of wanted) await apply(client, migration);
    return wanted.map(({ name }) => name);
  });
}

/** What `migrate` would apply, in its order. */
export async function pendingMigrations(ownerUrl: string): Promise<Pick<Migration, 'name' | 'beside'>[]> {
  return withConnection(ownerUrl, async (client) => {
    await refuseUnfinishedMove(client);
    return pendingOf(await readApplied(client)).map(({ name, beside }) => ({ name, beside }));
  });
}

/** Refuses a database that is empty or of an older version: not every command is meant to set it up. */
export async function requireSchema(ownerUrl: string): Promise<void> {
  const applied = await withConnection(ownerUrl, readApplied);
  if (applied.size === 0) {
    const place = 'that CAREPOST_DATABASE_URL or else CAREPOST_DATA_DIR leads to';
    throw new Error(`the database ${place} is empty: start the server, or run carepost migrate`);
  }
  if (pendingOf(applied).length > 0)
    throw new Error('the database is of an older version: run carepost migrate, or start the server');
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`);
  if (rows[0].version < OLDEST_SERVER) throw new Error('CAREPOST_DATABASE_URL takes a PostgreSQL 15 or newer');
}

async function refuseUnfinishedMove(client: Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('public.${UNFINISHED_MOVE}') is not null as there`);
  if (rows[0].there) {
    throw new Error('this database is one that was not moved to the end: run carepost database move again');
  }
}

/** Waits for its turn by asking again: a statement that waits would hold a snapshot for as long. */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock(hashtext('carepost migrations')) as mine`);
    if (rows[0].mine) return;
    await sleep(TURN_POLL_MS);
  }
}

async function noteWhatRan(client: Client): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key, sha256 bytea not null, applied_at timestamptz not null default now(),
       beside boolean not null default false)`,
  );
  await client.query(
    `do $$ begin
       if not exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'beside') then
         alter table schema_migrations add column beside boolean not null default false;
       end if;
     end $$`,
  );
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      return await applyOnce(client, migration);
    } catch (error) {
      if (!isInTheWay(error)) throw new Error(`migration ${migration.name} failed`, { cause: error });
      if (Date.now() > deadline) {
        const advice = 'waits for a lock that something else holds: end that, and try again';
        throw new Error(`migration ${migration.name} ${advice}`, { cause: error });
      }
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/** Whether somebody else holds a lock, or changes the same role for another database of the server. */
function isInTheWay(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return code === '55P03' || message === 'tuple concurrently updated' || isPassingConflict(error);
}

async function applyOnce(client: Client, { name, text, sha256, beside }: Migration): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (name, sha256, beside) values ($1, $2, $3)', [
      name,
      sha256,
      beside,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

import { countSessions } from '../../platform/db/count-sessions.ts';
import { UNFINISHED_MOVE } from '../../platform/db/migrate.ts';
import { readApplied, readMigrations } from '../../platform/db/migrations.ts';
import type { Client } from '../../platform/db/pool.ts';

/** Refuses a database on which somebody works. */
export async function refuseWhileServing(source: Client): Promise<void> {
  if ((await countSessions(source)) > 0)
    throw new Error('the product still works on this database: stop every node of it first');
}

/** The migrations that have run on a database, all of which this version must know. */
export async function requireKnownVersion(source: Client): Promise<Set<string>> {
  const applied = await readApplied(source);
  if (applied.size === 0) throw new Error('there is nothing to move: the database is empty');
  const known = new Map(readMigrations().map(({ name, sha256 }) => [name, sha256]));
  const foreign = [...applied.values()].find(({ name, sha256 }) => known.get(name)?.equals(sha256) !== true);
  if (foreign !== undefined) {
    throw new Error(`the database is of another version (migration ${foreign.name}): move it with that one`);
  }
  return new Set(applied.keys());
}

/** Refuses a target that holds anything but what an earlier move left half done, and marks it as unfinished. */
export async function claimTarget(target: Client): Promise<void> {
  const { rows } = await target.query(
    `select current_setting('server_encoding') as encoding, to_regclass('public.${UNFINISHED_MOVE}') is not null as begun,
       exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and not exists (
           select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
       ) as used`,
  );
  const { encoding, begun, used } = rows[0] as { encoding: string; begun: boolean; used: boolean };
  if (encoding !== 'UTF8') throw new Error('--to takes a database with the encoding UTF8');
  if (used && !begun) throw new Error('--to takes an empty database, and this one holds something');
  await target.query(`create table if not exists public.${UNFINISHED_MOVE} ()`);
}

/** Refuses a target on which an earlier move, of another version, has run more than was wanted now. */
export async function refuseOtherMigrations(target: Client, wanted: ReadonlySet<string>): Promise<void> {
  const other = [...(await readApplied(target)).keys()].find((name) => !wanted.has(name));
  if (other !== undefined) throw new Error(`--to was begun by another version (migration ${other}): empty it first`);
}

/** Refuses a source that somebody who joined it has migrated since the target was made like it. */
export async function requireSameMigrations(source: Client, target: Client): Promise<void> {
  const [here, there] = [await readApplied(source), await readApplied(target)];
  const same = [...here.values()].every(({ name, sha256 }) => there.get(name)?.sha256.equals(sha256) === true);
  if (!same || here.size !== there.size) {
    throw new Error(
      'something has migrated the database while it was moved: stop every node and the backup timer, and run this again',
    );
  }
}

/** Refuses a second move into the same database for as long as the connection lasts. */
export async function takeTarget(target: Client): Promise<void> {
  const { rows } = await target.query(`select pg_try_advisory_lock(hashtext('carepost move')) as mine`);
  if (!rows[0].mine) throw new Error('another move into this database is under way');
}

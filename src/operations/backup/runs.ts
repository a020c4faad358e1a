import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { SignedManifest } from './manifest.ts';
import type { RunKind } from './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

/** A backup, or a test that one can be restored. */
export interface BackupRun {
  id: string;
  kind: RunKind;
  startedAt: Date;
  /** Null while it runs, or where it was cut off. */
  finishedAt: Date | null;
  ok: boolean;
  bytes: number | null;
  /** Where in the write-ahead log a backup ends. */
  lsn: string | null;
}

/** A backup under way. */
export interface Run {
  id: string;
  startedAt: Date;
  /** Throws where another backup may be running by now. */
  requireAlone(): Promise<void>;
}

/** Takes a backup by a run, of which a row tells how it ended. */
export async function inRun<T extends { manifest: SignedManifest }>(
  { installation, requireAlone }: { installation: Deps; requireAlone: Run['requireAlone'] },
  planned: RunKind,
  take: (run: Run) => Promise<T>,
): Promise<T & { bytes: number }> {
  const startedAt = installation.clock.now();
  const id = await beginRun(installation, planned);
  try {
    const taken = await take({ id, startedAt, requireAlone });
    const { kind, files, blobs, wal } = taken.manifest;
    const bytes = files.reduce((sum, { size }) => sum + size, 0) + blobs.bytes;
    await finishRun(installation, id, { kind, ok: true, bytes, lsn: wal.to });
    return { ...taken, bytes };
  } catch (error) {
    // Where the database is gone, that is what went wrong.
    await finishRun(installation, id, { ok: false }).catch(() => undefined);
    throw error;
  }
}

async function beginRun({ db, clock }: Deps, kind: RunKind): Promise<string> {
  const id = timeOrderedId(clock);
  await db.untenanted((tx) => tx.insertInto('backup_runs').values({ id, kind, started_at: clock.now() }).execute());
  return id;
}

/** Commits a mark that has to be found where this backup is restored to its end, and tells its time by the database. */
export async function markRun(db: Database, id: string): Promise<Date> {
  const { marked_at } = await db.untenanted((tx) =>
    tx
      .updateTable('backup_runs')
      .set({ marked_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .returning('marked_at')
      .executeTakeFirstOrThrow(),
  );
  return marked_at as Date;
}

/** Whether the mark of a run is in the database. */
export async function hasMark(db: Database, id: string): Promise<boolean> {
  const found = await db.untenanted((tx) =>
    tx
      .selectFrom('backup_runs')
      .select('id')
      .where('id', '=', id)
      .where('marked_at', 'is not', null)
      .executeTakeFirst(),
  );
  return found !== undefined;
}

async function finishRun(
  { db, clock }: Deps,
  id: string,
  outcome: { kind?: RunKind; ok: boolean; bytes?: number; lsn?: string },
): Promise<void> {
  await db.untenanted((tx) =>
    tx
      .updateTable('backup_runs')
      .set({ ...outcome, finished_at: clock.now() })
      .where('id', '=', id)
      .execute(),
  );
}

/** Notes a run that has ended already. */
export async function recordRun(
  { db, clock }: Deps,
  run: { kind: RunKind; startedAt: Date; ok: boolean; bytes?: number; lsn?: string },
): Promise<void> {
  const { startedAt, ...rest } = run;
  const row = { id: timeOrderedId(clock), started_at: startedAt, finished_at: clock.now(), ...rest };
  await db.untenanted((tx) => tx.insertInto('backup_runs').values(row).execute());
}

/** The runs that began in a period, the oldest first. */
export async function listBackupRuns(db: Database, { from, to }: { from: Date; to: Date }): Promise<BackupRun[]> {
  const rows = await db.untenanted((tx) =>
    tx
      .selectFrom('backup_runs')
      .selectAll()
      .where('started_at', '>=', from)
      .where('started_at', '<', to)
      .orderBy('started_at')
      .execute(),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    ok: row.ok === true,
    bytes: row.bytes,
    lsn: row.lsn,
  }));
}

/** When the newest backup that succeeded began; null where there is none. */
export function newestBackupAt(db: Database): Promise<Date | null> {
  return newestOf(db, ['full', 'incremental']);
}

/** When the newest restore, or try of one, began that brought everything back; null where there is none. */
export function newestRestoreTestAt(db: Database): Promise<Date | null> {
  return newestOf(db, ['verify', 'restore']);
}

async function newestOf(db: Database, kinds: RunKind[]): Promise<Date | null> {
  const row = await db.untenanted((tx) =>
    tx
      .selectFrom('backup_runs')
      .select('started_at')
      .where('kind', 'in', kinds)
      .where('ok', '=', true)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  return row?.started_at ?? null;
}

/** For how long single incremental backups that succeeded are told of. */
const KEPT_YEARS = 1;

/** Removes incremental backups that succeeded long ago from the list; what failed and the newest one stay. */
export async function removeOldRuns({ db, clock }: Deps): Promise<void> {
  const limit = new Date(clock.now());
  limit.setUTCFullYear(limit.getUTCFullYear() - KEPT_YEARS);
  const newest = await newestBackupAt(db);
  if (newest === null) return;
  await db.untenanted((tx) =>
    tx
      .deleteFrom('backup_runs')
      .where('kind', '=', 'incremental')
      .where('ok', '=', true)
      .where('started_at', '<', new Date(Math.min(limit.getTime(), newest.getTime())))
      .execute(),
  );
}

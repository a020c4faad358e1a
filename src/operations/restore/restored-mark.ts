import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Installation } from '../../installation.ts';
import type { Actor } from '../../platform/act.ts';
import type { Database } from '../../platform/db/database.ts';
import { oneAtATime } from '../../platform/db/one-at-a-time.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { makeFolder, writeWhole } from '../../platform/durable-files.ts';
import { hasMark, recordRun, type SignedManifest } from '../backup/index.ts';
import { recordRestored } from './record-restored.ts';

const RESTORE: Actor = { kind: 'worker', id: 'restore' };

/** What is left to be looked at when the server of a restored data directory is first worked on. */
interface RestoredMark {
  started_at: string;
  /** The run whose mark has to be there; null where an earlier moment was restored. */
  run: string | null;
  /** Nothing after this moment came back; what an older version left does not say. */
  restored_to?: string;
  /** The history that the backup is of; its copy begins another. */
  timeline: number;
  ok: boolean;
  bytes: number;
  lsn: string;
}

/** Leaves word of a restore whose database somebody else starts. */
export async function leaveMark(
  { dataDir }: Config,
  { run, wal, blobs, restorable_until: end }: SignedManifest,
  { at, startedAt, ok }: { at: Date | null; startedAt: Date; ok: boolean },
): Promise<void> {
  const mark: RestoredMark = {
    started_at: startedAt.toISOString(),
    run: at === null ? run : null,
    restored_to: at?.toISOString() ?? end,
    timeline: wal.timeline,
    ok,
    bytes: blobs.bytes,
    lsn: wal.to,
  };
  await makeFolder(dataDir);
  await writeWhole(fileOf(dataDir), `${JSON.stringify(mark)}\n`);
}

/** When the newest restore that this database knows began, and whether everything came back; null where it knows none. */
export async function newestRestore(db: Database): Promise<{ startedAt: Date; ok: boolean } | null> {
  const row = await db.untenanted((tx) =>
    tx
      .selectFrom('backup_runs')
      .select(['started_at', 'ok'])
      .where('kind', '=', 'restore')
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  return row === undefined ? null : { startedAt: row.started_at, ok: row.ok === true };
}

/** Notes a restore whose database is now there; answers what is wrong, as where the end of the backup did not come back. */
export async function concludeRestore(installation: Installation): Promise<string | null> {
  const { config, ownerUrl, db } = installation;
  const file = fileOf(config.dataDir);
  if (!existsSync(file)) return null;
  return oneAtATime(ownerUrl, 'restored', async () => {
    if (!existsSync(file)) return null;
    const mark = await readMark(file);
    if (mark === null) return `${file} cannot be read: look at it, and remove it`;
    const { started_at, run, restored_to: restoredTo, timeline, ok, bytes, lsn } = mark;
    const now = await readTimeline(ownerUrl);
    if (now === null || now === timeline) return null; // it is the old server still, or not at the end of the log yet
    if (restoredTo !== undefined) await recordRestored(installation, RESTORE, new Date(restoredTo));
    const isWhole = run === null || (await hasMark(db, run));
    await recordRun(installation, { kind: 'restore', startedAt: new Date(started_at), ok: ok && isWhole, bytes, lsn });
    await rm(file);
    return isWhole ? null : 'the log of the restored backup ends early: restore it again';
  });
}

/** It keeps nobody from working: null where it is not to be read. */
async function readMark(file: string): Promise<RestoredMark | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as RestoredMark;
  } catch {
    return null;
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'restored.json');
}

/** Which history a server is on, by the name of the file that it writes its log to; null before it writes one. */
async function readTimeline(ownerUrl: string): Promise<number | null> {
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<{ file: string | null }>(
      `select case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as file`,
    );
    const file = rows[0]?.file ?? null;
    return file === null ? null : Number.parseInt(file.slice(0, 8), 16);
  });
}

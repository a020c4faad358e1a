import { type BackupRun, listBackupRuns } from '../../backup/index.ts';
import { moment, type ReadSection, type Row } from '../section.ts';

const DAY_MS = 24 * 3600_000;

/** Contingency: every backup of the period, and every test that one can be restored. */
export const backups: ReadSection = async ({ installation, period }) => ({
  name: 'backups',
  title: 'Backups and tests of restoring',
  about:
    'Every run of carepost backup, carepost restore and restore --verify that began in the period. Incremental backups are told by the day (UTC), with the longest time from the begin of one that succeeded, also a full one, to that of the next; those that succeeded are known for a year.',
  columns: ['kind', 'began', 'ended', 'seconds', 'succeeded', 'runs', 'failed', 'longest_gap_seconds', 'bytes', 'lsn'],
  rows: rowsOf(
    (await listBackupRuns(installation.db, period)).filter((run) => !mayStillRun(run, installation.clock.now())),
  ),
});

/** Whether nobody can tell yet how it ends. */
function mayStillRun({ startedAt, finishedAt }: BackupRun, now: Date): boolean {
  return finishedAt === null && now.getTime() - startedAt.getTime() < DAY_MS;
}

function rowsOf(runs: BackupRun[]): Row[] {
  const days = Map.groupBy(runs.filter(isIncremental), ({ startedAt }) => dayOf(startedAt));
  const gaps = longestGaps(runs);
  const single = runs.filter((run) => !isIncremental(run)).map(oneRow);
  const daily = [...days].map(([day, ofDay]) => ({ ...dayRow(ofDay), longest_gap_seconds: gaps.get(day) ?? null }));
  const rows: Row[] = [...single, ...daily];
  return rows.toSorted((one, other) => (String(one.began) < String(other.began) ? -1 : 1));
}

function oneRow({ kind, startedAt, finishedAt, ok, bytes, lsn }: BackupRun): Row {
  const began = moment(startedAt);
  const seconds = finishedAt === null ? null : secondsBetween(startedAt, finishedAt);
  return { kind, began, ended: moment(finishedAt), seconds, succeeded: ok, runs: 1, failed: ok ? 0 : 1, bytes, lsn };
}

/** The incremental backups of a day, of which there are hundreds. */
function dayRow(runs: BackupRun[]): Row {
  const failed = runs.filter(({ ok }) => !ok).length;
  return {
    kind: 'incremental',
    began: moment(runs[0]?.startedAt ?? null),
    ended: moment(runs.at(-1)?.finishedAt ?? null),
    seconds: runs.reduce(
      (sum, { startedAt, finishedAt }) => sum + secondsBetween(startedAt, finishedAt ?? startedAt),
      0,
    ),
    succeeded: failed === 0,
    runs: runs.length,
    failed,
    bytes: runs.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    lsn: runs.findLast(({ ok }) => ok)?.lsn ?? null,
  };
}

/** By the day that it ended on, the longest time without a new backup. */
function longestGaps(runs: BackupRun[]): Map<string, number> {
  const gaps = new Map<string, number>();
  const good = runs.filter(({ kind, ok }) => ok && (kind === 'incremental' || kind === 'full'));
  for (const [index, { startedAt }] of good.entries()) {
    const before = good[index - 1];
    if (before === undefined) continue;
    const day = dayOf(startedAt);
    gaps.set(day, Math.max(gaps.get(day) ?? 0, secondsBetween(before.startedAt, startedAt)));
  }
  return gaps;
}

function isIncremental({ kind }: BackupRun): boolean {
  return kind === 'incremental';
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function secondsBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / 1000);
}

import { type Database, withDatabase } from '../../platform/db/database.ts';
import { newestBackupAt, newestRestoreTestAt } from '../backup/index.ts';
import { newestRestore } from '../restore/index.ts';
import { type Check, type DatabaseBench, failed, ok, type Verdict, warning } from './check.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A backup is made every three minutes: by then several have failed. */
const LATE_MS = 20 * MINUTE_MS;
const OLD_MS = 26 * HOUR_MS;
const RESTORE_TEST_DAYS = 35;

/** Whether there is a backup, and a young one; and whether the last restore brought everything back. */
export const backup: Check = {
  name: 'backup',
  needs: 'database',
  look: (bench) =>
    onRuns(bench, async (db) => {
      const now = bench.clock.now();
      const verdicts = [judgeAge(await newestBackupAt(db), now)];
      const restored = await newestRestore(db);
      const since = now.getTime() - bench.config.retention.backupDays * DAY_MS;
      if (restored !== null && !restored.ok && restored.startedAt.getTime() > since)
        verdicts.push(
          warning(
            `the restore of ${restored.startedAt.toISOString()} did not bring everything back`,
            'try the backup out by carepost restore --verify, and restore it again',
          ),
        );
      return verdicts;
    }),
};

/** Whether a backup was lately seen to bring everything back. */
export const restoreTest: Check = {
  name: 'restore-test',
  needs: 'database',
  look: (bench) =>
    onRuns(bench, async (db) => {
      if ((await newestBackupAt(db)) === null) return [];
      const todo = 'run carepost restore --verify, and let a timer do it every month';
      const at = await newestRestoreTestAt(db);
      if (at === null) return [warning('no backup was ever tried out', todo)];
      const days = Math.floor((bench.clock.now().getTime() - at.getTime()) / DAY_MS);
      const found = `a backup was last tried out ${days} days ago`;
      return [days <= RESTORE_TEST_DAYS ? ok(found) : warning(found, todo)];
    }),
};

/** Looks at the runs of backups, which a database of before has none of. */
async function onRuns(bench: DatabaseBench, look: (db: Database) => Promise<Verdict[]>): Promise<Verdict[]> {
  const { rows } = await bench.client.query(`select to_regclass('public.backup_runs') is not null as there`);
  return rows[0].there ? withDatabase(bench, 'app', look) : [];
}

function judgeAge(at: Date | null, now: Date): Verdict {
  if (at === null)
    return warning('there has been no backup', 'run carepost backup every three minutes, and restore one');
  const age = now.getTime() - at.getTime();
  const old = age < 2 * HOUR_MS ? `${Math.floor(age / MINUTE_MS)} minutes` : `${Math.floor(age / HOUR_MS)} hours`;
  const found = `the newest backup is ${old} old`;
  const todo = 'run carepost backup, and see why the last one failed';
  if (age > OLD_MS) return failed(found, todo);
  return age > LATE_MS ? warning(found, todo) : ok(found);
}

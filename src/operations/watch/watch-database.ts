import type { Registry } from 'prom-client';
import type { Installation } from '../../installation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { pendingMigrations } from '../../platform/db/migrate.ts';
import type { Log } from '../../platform/log.ts';
import { newestBackupAt, newestRestoreTestAt } from '../backup/index.ts';
import { addView, type Measured, one } from './gauges.ts';
import { countNodes } from './nodes.ts';
import { readSealLag } from './seal-lag.ts';

const MINUTE_MS = 60_000;

interface Deps {
  registry: Registry;
  sealerDb: Database;
}

interface ViewDeps {
  registry: Registry;
  clock: Clock;
  log: Log;
  db: Database;
}

/** Lets whoever scrapes see the database and what is written in it about the installation. */
export function watchDatabase({ ownerUrl, db, clock, log }: Installation, { registry, sealerDb }: Deps): void {
  const deps = { registry, clock, log, db };
  addView(deps, {
    name: 'database',
    read: () =>
      db.ping().then(
        () => 1,
        () => 0,
      ),
    gauges: [{ name: 'carepost_database_up', help: 'Whether the database answers', of: one }],
  });
  addView(deps, {
    name: 'audit',
    read: () => readSealLag({ sealerDb, clock }),
    gauges: [
      {
        name: 'carepost_audit_seal_lag_seconds',
        help: 'For how long the oldest audit row has not been chained',
        of: one,
      },
    ],
  });
  addView(deps, {
    name: 'migrations',
    keptMs: MINUTE_MS,
    read: () => pendingMigrations(ownerUrl),
    gauges: [
      {
        name: 'carepost_migrations_pending',
        help: 'Migrations of this version that the database has not had',
        of: (pending) => one(pending.length),
      },
    ],
  });
  watchNodes(deps);
  watchBackups(deps);
}

function watchNodes(deps: ViewDeps): void {
  addView(deps, {
    name: 'nodes',
    read: () => countNodes(deps),
    gauges: [
      {
        name: 'carepost_nodes',
        help: 'Processes that were heard of just now, by role',
        labels: ['role'],
        of: ({ byRole }) => byRole.map(({ role, count }) => [{ role }, count]),
      },
      {
        name: 'carepost_nodes_silent',
        help: 'Processes that fell silent within the last day without taking leave',
        of: ({ silent }) => one(silent),
      },
    ],
  });
}

function watchBackups(deps: ViewDeps): void {
  const { db, clock } = deps;
  const ageOf = (at: Date | null): Measured[] =>
    at === null ? [] : one(Math.max(0, (clock.now().getTime() - at.getTime()) / 1000));
  addView(deps, {
    name: 'backups',
    keptMs: MINUTE_MS,
    read: async () => ({ backup: await newestBackupAt(db), restoreTest: await newestRestoreTestAt(db) }),
    gauges: [
      {
        name: 'carepost_backup_age_seconds',
        help: 'Time since the newest backup that succeeded began; no line where there is none',
        of: ({ backup }) => ageOf(backup),
      },
      {
        name: 'carepost_restore_test_age_seconds',
        help: 'Time since a backup was last seen to bring everything back, by a restore or a try; no line where none was',
        of: ({ restoreTest }) => ageOf(restoreTest),
      },
    ],
  });
}

import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Installation } from '../../installation.ts';
import type { Database } from '../../platform/db/database.ts';
import { pendingMigrations } from '../../platform/db/migrate.ts';
import { newestBackupAt } from '../backup/index.ts';
import { addPools, addStoreFailures, addView, type Measured } from './gauges.ts';
import { countNodes } from './nodes.ts';
import { watchQueues } from './queue-views.ts';
import { readSealDays } from './seal-days.ts';
import { readSealLag } from './seal-lag.ts';

interface Deps {
  registry: Registry;
  workerDb: Database;
  sealerDb: Database;
  /** Whether writes are refused since the disk is nearly full. */
  backpressure: { readonly full: boolean };
  version: string;
}

const MINUTE_MS = 60_000;
const one = (value: number): Measured[] => [[{}, value]];

/** Lets whoever scrapes see the whole installation: its queues, its database, its disk, its certificates, its nodes. */
export function watchInstallation(installation: Installation, given: Deps): void {
  const { db, blobStore, clock, log } = installation;
  const { registry, workerDb, sealerDb, version } = given;
  addPools(registry, { app: db, worker: workerDb, sealer: sealerDb });
  addStoreFailures(registry, blobStore.failures);
  const build = new Gauge({
    name: 'carepost_build_info',
    help: 'The version that runs; always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version, node: process.versions.node }, 1);
  watchQueues({ registry, db, workerDb, clock, log });
  watchDatabase(installation, given);
  watchMachine(installation, given);
}

function watchDatabase({ ownerUrl, db, clock, log }: Installation, { registry, sealerDb }: Deps): void {
  const deps = { registry, clock, log };
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
    name: 'nodes',
    read: () => countNodes({ db, clock }),
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
  addView(deps, {
    name: 'backups',
    keptMs: MINUTE_MS,
    read: () => newestBackupAt(db),
    gauges: [
      {
        name: 'carepost_backup_age_seconds',
        help: 'Time since the newest backup that succeeded began; no line where there is none',
        of: (at) => (at === null ? [] : one(Math.max(0, (clock.now().getTime() - at.getTime()) / 1000))),
      },
    ],
  });
}

function watchMachine({ config, clock, log }: Installation, { registry, backpressure }: Deps): void {
  const deps = { registry, clock, log };
  addView(deps, {
    name: 'disk',
    read: () => statfs(config.dataDir),
    gauges: [
      {
        name: 'carepost_disk_free_bytes',
        help: 'Room left on the disk of the data folder',
        of: ({ bavail, bsize }) => one(bavail * bsize),
      },
      {
        name: 'carepost_disk_size_bytes',
        help: 'Size of the disk of the data folder',
        of: ({ blocks, bsize }) => one(blocks * bsize),
      },
      {
        name: 'carepost_disk_least_free_bytes',
        help: 'Room below which writes are refused (free-disk in CAREPOST_LIMITS)',
        of: () => one(config.limits.freeDiskBytes),
      },
      {
        name: 'carepost_refusing_writes',
        help: 'Whether this process refuses writes since the disk is nearly full',
        of: () => one(backpressure.full ? 1 : 0),
      },
    ],
  });
  addView(deps, {
    name: 'seal certificate',
    read: () => readSealDays(config, clock),
    gauges: [
      {
        name: 'carepost_seal_certificate_days',
        help: 'Days until the certificate of CAREPOST_SEAL_CERT_FILE ends; no line where none is set',
        of: (days) => (days === null ? [] : one(days)),
      },
    ],
  });
}

import { Gauge, type Registry } from 'prom-client';
import type { Installation } from '../../installation.ts';
import type { Database } from '../../platform/db/database.ts';
import { addPools, addStoreFailures } from './gauges.ts';
import { watchQueues } from './queue-views.ts';
import { watchDatabase } from './watch-database.ts';
import { watchMachine } from './watch-machine.ts';

interface Deps {
  registry: Registry;
  workerDb: Database;
  sealerDb: Database;
  /** Whether writes are refused since the disk is nearly full. */
  backpressure: { readonly full: boolean };
  version: string;
}

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

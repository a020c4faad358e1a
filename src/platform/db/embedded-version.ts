import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The major version that wrote the cluster of a data dir; null where there is none yet. */
export function clusterMajor(dataDir: string): number | null {
  const file = join(dataDir, 'postgres', 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : null;
}

/** The major version of the programs in a folder. */
export function programsMajor(binaries: string): number {
  const { stdout, error } = spawnSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' });
  const major = /\) (\d+)/.exec(stdout ?? '')?.[1];
  if (major === undefined) throw new Error(`no PostgreSQL that runs in ${binaries}: ${error?.message ?? 'no version'}`);
  return Number(major);
}

/** Where the next major version of a data dir's cluster is made. */
export function upgradeFolderOf(dataDir: string): string {
  return join(dataDir, 'upgrade');
}

/** Refuses programs that cannot run what is in a data dir, in words that say what to do. */
export function refuseOtherMajor(dataDir: string, binaries: string): void {
  const found = clusterMajor(dataDir);
  if (found === null) {
    if (!existsSync(upgradeFolderOf(dataDir))) return;
    throw new Error('an upgrade of the embedded database was cut off: run carepost database upgrade again');
  }
  const own = programsMajor(binaries);
  if (found < own) {
    throw new Error(
      `the embedded database is of PostgreSQL ${found}, this version runs ${own}: run carepost database upgrade`,
    );
  }
  if (found > own) {
    throw new Error(
      `the embedded database is of PostgreSQL ${found}, this version runs ${own}: install the one that wrote it`,
    );
  }
}

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningEmbedded, startEmbedded } from '../../platform/db/embedded.ts';
import { locateBinaries } from '../../platform/db/embedded-binaries.ts';
import { shareOwner } from '../../platform/db/embedded-connection.ts';
import { clusterMajor, programsMajor, upgradeFolderOf } from '../../platform/db/embedded-version.ts';
import type { Log } from '../../platform/log.ts';
import type { Holding } from './compare.ts';
import { moveDatabase } from './move.ts';
import { fetchPrograms } from './old-programs.ts';
import { markWhole, swapClusters, wholeCopyOf } from './swap-clusters.ts';

interface Deps {
  dataDir: string;
  log: Log;
}

/** What was moved, which is nothing where an earlier try had come that far, and where the old cluster is kept. */
export interface Upgraded {
  from: number;
  to: number;
  kept: string;
  tables: Holding[];
}

/**
 * Moves the embedded database to the major version that the product brings; null where it is there already. It can be
 * killed at any moment and called again: before the copy is whole it begins anew, afterwards it only swaps the folders.
 */
export async function upgradeEmbedded(deps: Deps, binaries: string | undefined): Promise<Upgraded | null> {
  const { dataDir } = deps;
  const to = programsMajor(locateBinaries());
  const found = clusterMajor(dataDir);
  const whole = wholeCopyOf(dataDir);
  const from = whole?.from ?? found;
  if (from === null || found === to) {
    rmSync(upgradeFolderOf(dataDir), { recursive: true, force: true });
    return null;
  }
  if (from > to)
    throw new Error(`the embedded database is of PostgreSQL ${from}, newer than the ${to} of this version`);
  const kept = join(dataDir, `postgres-${from}.old`);
  const tables = whole === null ? await copyCluster(deps, { from, kept, binaries }) : [];
  await swapClusters(dataDir, kept);
  return { from, to, kept, tables };
}

interface Copied {
  from: number;
  kept: string;
  binaries: string | undefined;
}

async function copyCluster({ dataDir, log }: Deps, { from, kept, binaries }: Copied): Promise<Holding[]> {
  if (existsSync(kept)) throw new Error(`${kept} is in the way: move it elsewhere first`);
  if ((await findRunningEmbedded(dataDir)) !== null) throw new Error('the product still runs: stop it first');
  const folder = upgradeFolderOf(dataDir);
  const programs = binaries ?? fetchPrograms(from, join(folder, `programs-${from}`));
  const older = await startEmbedded({ dataDir, log, binaries: programs });
  let tables: Holding[];
  try {
    rmSync(join(folder, 'postgres'), { recursive: true, force: true });
    shareOwner(dataDir, folder);
    const newer = await startEmbedded({ dataDir: folder, log });
    try {
      tables = await moveDatabase({ log }, { from: older.url, to: newer.url });
    } finally {
      await newer.stop();
    }
  } finally {
    await older.stop();
  }
  await markWhole(dataDir, from);
  return tables;
}

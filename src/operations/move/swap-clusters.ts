import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { upgradeFolderOf } from '../../platform/db/embedded-version.ts';
import { syncFolder, writeWhole } from '../../platform/durable-files.ts';

/** A copy of the cluster that was compared with it and found whole. */
interface WholeCopy {
  /** The major version that it was copied from. */
  from: number;
  /** The hash of the file that every start of that cluster rewrites. */
  control: string;
}

const markOf = (dataDir: string) => join(upgradeFolderOf(dataDir), 'whole.json');
const controlOf = (cluster: string) => join(cluster, 'global', 'pg_control');

/** Notes that the copy is whole. Both clusters have to be stopped. */
export async function markWhole(dataDir: string, from: number): Promise<void> {
  const whole: WholeCopy = { from, control: hashOf(controlOf(join(dataDir, 'postgres'))) };
  await writeWhole(markOf(dataDir), JSON.stringify(whole));
}

/** The copy that only waits to be put in place; null where there is none, or the cluster has been used since. */
export function wholeCopyOf(dataDir: string): WholeCopy | null {
  const mark = markOf(dataDir);
  if (!existsSync(mark)) return null;
  const whole = JSON.parse(readFileSync(mark, 'utf8')) as WholeCopy;
  const control = controlOf(join(dataDir, 'postgres'));
  if (!existsSync(control) || hashOf(control) === whole.control) return whole;
  rmSync(mark);
  return null;
}

/** Puts the copy in the place of the cluster; called again, it goes on where it was cut off. */
export async function swapClusters(dataDir: string, kept: string): Promise<void> {
  const cluster = join(dataDir, 'postgres');
  if (!existsSync(kept)) renameSync(cluster, kept);
  await syncFolder(dataDir);
  renameSync(join(upgradeFolderOf(dataDir), 'postgres'), cluster);
  await syncFolder(dataDir);
  rmSync(upgradeFolderOf(dataDir), { recursive: true });
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { upgradeFolderOf } from '../../platform/db/embedded-version.ts';

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
export function markWhole(dataDir: string, from: number): void {
  const whole: WholeCopy = { from, control: hashOf(controlOf(join(dataDir, 'postgres'))) };
  const mark = markOf(dataDir);
  writeFileSync(`${mark}.new`, JSON.stringify(whole), { mode: 0o600, flush: true });
  renameSync(`${mark}.new`, mark);
  keepNames(dirname(mark));
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
export function swapClusters(dataDir: string, kept: string): void {
  const cluster = join(dataDir, 'postgres');
  if (!existsSync(kept)) renameSync(cluster, kept);
  keepNames(dataDir);
  renameSync(join(upgradeFolderOf(dataDir), 'postgres'), cluster);
  keepNames(dataDir);
  rmSync(upgradeFolderOf(dataDir), { recursive: true });
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Makes what was renamed in a folder outlive a power cut. */
function keepNames(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

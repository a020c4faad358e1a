import { mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Refuses what is not built for this version where this user cannot build it: visitors would get nothing else all day. */
export async function requireBuildable(what: string, folder: string): Promise<void> {
  if (await mayWrite(folder)) return;
  throw new Error(`${what} not built for this version: run node scripts/setup.mjs as a user who may write ${folder}`);
}

async function mayWrite(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await rmdir(await mkdtemp(join(folder, 'try-')));
    return true;
  } catch {
    return false;
  }
}

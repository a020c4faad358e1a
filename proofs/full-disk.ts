// The disk runs full under mixed load, to the last byte: that of everything, and that of the files alone. Needs root, to
// mount disks that are small enough.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHome, type Home } from '../tests/support/server.ts';
import { survive } from './survive.ts';

const TIMES = 10;
const FULL_FOR_MS = 5_000;
const PIECE = Buffer.alloc(64 * 1024);

/** A home in which a folder has a small disk of its own. */
async function createSmallHome(t: TestContext, folderIn: string, megabytes: number): Promise<[Home, string]> {
  let folder = '';
  t.after(() => execFileSync('umount', ['--lazy', folder])); // what is said first is done first, and a disk cannot be removed
  const home = await createHome(t);
  folder = join(home.dataDir, folderIn);
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  return [home, folder];
}

/** Takes what is left of a disk, again and again, since what is on it comes and goes. */
async function keepFull(folder: string): Promise<void> {
  const filler = join(folder, 'filler');
  const until = performance.now() + FULL_FOR_MS;
  while (performance.now() < until) {
    try {
      appendFileSync(filler, PIECE);
    } catch {
      await sleep(20);
    }
  }
  rmSync(filler);
}

for (const [what, folderIn, megabytes] of [
  ['everything', '', 1_500],
  ['the files', 'blobs', 256],
] as const) {
  test(`the disk of ${what} is full ${TIMES} times under mixed load`, { skip: process.getuid?.() !== 0 }, async (t) => {
    const [home, folder] = await createSmallHome(t, folderIn, megabytes);
    await survive(t, home, TIMES, () => keepFull(folder));
  });
}

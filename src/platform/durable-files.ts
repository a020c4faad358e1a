import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Where a file is written before it takes its place. */
const unfinishedOf = (path: string) => `${path}.new`;

type Content = string | AsyncIterable<Uint8Array>;

/** Makes a folder that its owner alone can enter, and those above it that are new, so that they outlive a power cut. */
export async function makeFolder(path: string, sync = syncFolder): Promise<void> {
  const folder = resolve(path);
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await sync(dirname(made));
}

/** Makes what was made, renamed or removed in a folder outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

/** The same in one go, for what is done once at a start or by a command. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Writes a file whole or not at all: nobody ever sees it half written, and it outlives a power cut. */
export async function writeWhole(path: string, content: Content): Promise<void> {
  const unfinished = unfinishedOf(path);
  try {
    await writeSynced(unfinished, 'w', content);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined); // why it was not written counts
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes a file, with what a crash has left of one that was to take its place, so that neither is there after a power cut. */
export async function removeWhole(path: string): Promise<void> {
  for (const each of [unfinishedOf(path), path]) await rm(each, { force: true });
  await syncFolder(dirname(path));
}

/** Writes a file that must not be there yet, so that it outlives a power cut. */
export async function writeNew(path: string, content: Content): Promise<void> {
  await writeSynced(path, 'wx', content);
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, flag: 'w' | 'wx', content: Content): Promise<void> {
  await using file = await open(path, flag, 0o600);
  await file.writeFile(content);
  await file.sync();
}

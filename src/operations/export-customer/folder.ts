import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, writeWhole } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';

const BEGUN = 'export.json';
export const MANIFEST = 'manifest.json';

interface Begun {
  customer: number;
  began_at: string;
}

/** A folder that is filled file by file; what is there already is not written again. */
export interface Folder {
  /** When the export began; one that was cut off has not begun anew. */
  beganAt: string;
  /** Writes a file whole or not at all, unless it is there. */
  write(path: string, content: () => Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>): Promise<void>;
  /** The same, whether it is there or not. */
  replace(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Every file but the one that says that the export has begun, in order. */
  list(): AsyncIterable<string>;
  read(path: string): AsyncIterable<Buffer>;
}

/** Opens a folder for the export of a customer: an empty one, or one whose export was cut off. */
export async function openFolder(path: string, { customer, now }: { customer: number; now: Date }): Promise<Folder> {
  await makeFolder(path);
  const there = await readdir(path);
  if (there.includes(MANIFEST)) throw new AppError('conflict', 'The folder holds an export that is whole');
  const beganAt = there.length > 0 ? await readBegun(path, customer) : await begin(path, customer, now);
  return {
    beganAt,
    async write(name, content) {
      const file = join(path, name);
      if (await isThere(file)) return;
      await makeFolder(dirname(file));
      await writeWhole(file, await content());
    },
    replace: (name, content) => writeWhole(join(path, name), content),
    list: () => filesIn(path, ''),
    read: (name) => createReadStream(join(path, name)),
  };
}

async function begin(path: string, customer: number, now: Date): Promise<string> {
  const begun: Begun = { customer, began_at: now.toISOString() };
  await writeWhole(join(path, BEGUN), `${JSON.stringify(begun)}\n`);
  return begun.began_at;
}

async function readBegun(path: string, customer: number): Promise<string> {
  const text = await readFile(join(path, BEGUN), 'utf8').catch(() => 'null');
  const begun = JSON.parse(text) as Begun | null;
  if (begun?.customer === customer) return begun.began_at;
  throw new AppError('conflict', 'The folder has to be empty, or to hold an export of this customer that was cut off');
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function* filesIn(root: string, below: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(root, path);
    else if (path !== BEGUN && !path.endsWith('.new')) yield path;
  }
}

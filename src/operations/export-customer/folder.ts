import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../platform/errors.ts';

const BEGUN = 'export.json';
export const MANIFEST = 'manifest.json';

/** A folder that is filled file by file; what is there already is not written again. */
export interface Folder {
  /** Writes a file whole or not at all, unless it is there. */
  write(path: string, content: () => Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>): Promise<void>;
  /** The same, whether it is there or not. */
  replace(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Every file but the one that says that the export has begun, in order. */
  list(): AsyncIterable<string>;
  read(path: string): AsyncIterable<Buffer>;
}

/** Opens a folder for the export of a customer: an empty one, or one whose export was cut off. */
export async function openFolder(path: string, begun: { customer: number; began_at: string }): Promise<Folder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const there = await readdir(path);
  if (there.includes(MANIFEST)) throw new AppError('conflict', 'The folder holds an export that is whole');
  if (there.length > 0) await requireSame(path, begun.customer);
  else await writeWhole(join(path, BEGUN), [Buffer.from(`${JSON.stringify(begun)}\n`)]);
  return {
    async write(name, content) {
      const file = join(path, name);
      if (await isThere(file)) return;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeWhole(file, await content());
    },
    replace: (name, content) => writeWhole(join(path, name), content),
    list: () => filesIn(path, ''),
    read: (name) => createReadStream(join(path, name)),
  };
}

async function requireSame(path: string, customer: number): Promise<void> {
  const text = await readFile(join(path, BEGUN), 'utf8').catch(() => '{}');
  const known = JSON.parse(text) as { customer?: number };
  if (known.customer !== customer)
    throw new AppError(
      'conflict',
      'The folder has to be empty, or to hold an export of this customer that was cut off',
    );
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** What is half written bears another name, and is written anew. */
async function writeWhole(file: string, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(content, createWriteStream(`${file}.part`, { mode: 0o600, flush: true }));
  await rename(`${file}.part`, file);
}

async function* filesIn(root: string, below: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(root, path);
    else if (path !== BEGUN && !path.endsWith('.part')) yield path;
  }
}

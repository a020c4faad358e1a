import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createByteReader } from './byte-reader.ts';

const BLOCK = 512;
const TYPE_AT = 156;
const FOLDER = '5';

/** One entry of an archive as PostgreSQL writes them: ustar, names below 100 characters, files and folders only. */
interface Entry {
  path: string;
  size: number;
  isFolder: boolean;
}

/** Unpacks the archive of a base backup into a folder; files and folders are their owner's alone. */
export async function unpackTar(source: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const reader = createByteReader(source);
  for (let header = await reader.take(BLOCK); header !== null; header = await reader.take(BLOCK)) {
    const entry = readHeader(header);
    if (entry === null) continue; // blocks of zeros end an archive
    const path = join(folder, entry.path);
    if (entry.isFolder) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      continue;
    }
    await using file = await open(path, 'w', 0o600);
    await file.writeFile(reader.pass(entry.size));
    await reader.take((BLOCK - (entry.size % BLOCK)) % BLOCK);
  }
}

function readHeader(header: Buffer): Entry | null {
  if (header[0] === 0) return null;
  const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '');
  const type = String.fromCharCode(header[TYPE_AT] ?? 0);
  const isFolder = type === FOLDER;
  if (!(isFolder || type === '0') || name.startsWith('/') || name.split('/').includes('..')) {
    throw new Error(`the backup holds ${name}, which is neither a file nor a folder of a database`);
  }
  return { path: name, size: isFolder ? 0 : Number.parseInt(header.toString('latin1', 124, 136), 8), isFolder };
}

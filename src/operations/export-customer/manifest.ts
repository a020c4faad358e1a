import { createHash } from 'node:crypto';
import { type SigningKey, signContents } from '../../accounts/index.ts';
import type { Folder } from './folder.ts';

const NEWLINE = 10;
const SUMS = 'SHA256SUMS';

/** A file of an export. */
export interface WrittenFile {
  path: string;
  bytes: number;
  sha256: string;
  /** Lines, where it holds rows. */
  rows: number | null;
}

/** Reads files back, as what is on the disk counts. */
export async function* measureFiles(folder: Folder, wanted: (path: string) => boolean): AsyncGenerator<WrittenFile> {
  for await (const path of folder.list()) if (wanted(path)) yield await measure(folder, path);
}

async function measure(folder: Folder, path: string): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let [bytes, lines] = [0, 0];
  for await (const chunk of folder.read(path)) {
    hash.update(chunk);
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return { path, bytes, sha256: hash.digest('hex'), rows: path.endsWith('.jsonl') ? lines : null };
}

/** What an export holds. */
export interface Exported {
  files: number;
  rows: number;
  bytes: number;
}

/** Writes the sums of all files as `sha256sum -c` reads them, and answers what there is and the hash of the list. */
export async function writeSums(folder: Folder): Promise<Exported & { sums: string }> {
  const total = { files: 0, rows: 0, bytes: 0 };
  const hash = createHash('sha256');
  async function* lines() {
    for await (const { path, sha256, bytes, rows } of measureFiles(folder, (name) => name !== SUMS)) {
      total.files += 1;
      total.bytes += bytes;
      total.rows += rows ?? 0;
      const line = Buffer.from(`${sha256}  ${path}\n`);
      hash.update(line);
      yield line;
    }
  }
  await folder.replace(SUMS, lines());
  return { ...total, sums: hash.digest('hex') };
}

/** Signs the list of sums, and with it every file. */
export function signManifest(
  key: SigningKey,
  told: { customer: number; username: string; beganAt: string; at: string; files: number; bytes: number; sums: string },
): string {
  return `${JSON.stringify(signContents(key, { format: 'carepost customer export 1', ...told }), null, 2)}\n`;
}

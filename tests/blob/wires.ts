import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BlobStore } from '../../src/platform/blob/blob-store.ts';
import { openBlobStore } from '../../src/platform/blob/open-blob-store.ts';
import { startS3 } from './s3-wire.ts';

/** A kind of store under test, and a look behind it. */
export interface Wire {
  store: BlobStore;
  /** A store of the same kind in a place that cannot be written. */
  unwritable: BlobStore;
  /** What unfinished writes have left. */
  leftovers(): Promise<string[]>;
  /** Leaves what a process killed while it wrote would leave. */
  abandonWrite(id: string, at: Date): Promise<void>;
  stop(): Promise<void>;
}

/** A store in a new folder. */
export async function openDiskWire(): Promise<Wire> {
  const folder = await mkdtemp(join(tmpdir(), 'carepost-blobs-'));
  const blobs = join(folder, 'new', 'blobs');
  await writeFile(join(folder, 'file'), '');
  return {
    store: await openBlobStore(pathToFileURL(blobs).href),
    unwritable: await openBlobStore(pathToFileURL(join(folder, 'file', 'blobs')).href),
    leftovers: () => readdir(join(blobs, 'tmp')),
    async abandonWrite(id, at) {
      const path = join(blobs, 'tmp', `${id}.dead`);
      await writeFile(path, 'half');
      await utimes(path, at, at);
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

/** A store in a new bucket of a server started for it. */
export async function openS3Wire(): Promise<Wire> {
  const folder = await mkdtemp(join(tmpdir(), 'carepost-s3-'));
  const s3 = await startS3(folder);
  return {
    store: await openBlobStore(s3.url),
    unwritable: await openBlobStore(s3.url.replace('S3RVER@', 'not-the-secret@')),
    leftovers: s3.pendingUploads,
    async abandonWrite(id, at) {
      const upload = join(s3.uploads, randomBytes(8).toString('hex'));
      await mkdir(upload, { recursive: true });
      await writeFile(join(upload, 'key'), `carepost/files/${id}`);
      await utimes(join(upload, 'key'), at, at);
    },
    async stop() {
      await s3.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The bytes as a source, in pieces as a sealed stream has them. */
export async function* from(bytes: Uint8Array, pieceSize = 16_400): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

/** All bytes of a source. */
export async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The ids of all blobs of a store, sorted. */
export async function listIds(store: BlobStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids.toSorted();
}

import { createHash } from 'node:crypto';
import { BlobMissing, type BlobStore } from '../../platform/blob/blob-store.ts';
import { createDiskStore } from '../../platform/blob/disk.ts';
import { blobFolder } from './chains.ts';
import type { SignedManifest } from './manifest.ts';
import { type ChainFolder, type FileEntry, readSealed, writeSealed } from './sealed-file.ts';

/** A blob as it was copied; it was sealed already when it was stored. */
export interface BlobEntry {
  size: number;
  sha256: string;
}

export type BlobEntries = Map<string, BlobEntry>;

interface Before {
  /** What an older chain stands for: what is still in the store and intact in the copy need not be copied again. */
  known?: BlobEntries;
  /** What this chain stands for already. */
  done?: BlobEntries;
}

/**
 * Copies what is in the store and not yet in the backup. A blob's row comes after the blob: copied before and after the
 * log is read, none is missed that the log refers to, unless it came and went in between.
 */
export function createBlobCopy(store: BlobStore, to: string, { known = new Map(), done = new Map() }: Before) {
  const copies = createDiskStore(blobFolder(to));
  const copied: BlobEntries = new Map();
  return {
    /** What the chain stands for by this run. */
    copied,
    async copy(): Promise<void> {
      for await (const { id } of store.list()) {
        if (done.has(id) || copied.has(id)) continue;
        const before = known.get(id);
        if (before !== undefined && (await isIntact(copies, id, before))) copied.set(id, before);
        else await copyOne(store, copies, id, copied);
      }
    },
  };
}

/** Whether a store has a blob in this size. */
export async function hasBlob(store: BlobStore, id: string, size: number): Promise<boolean> {
  try {
    return (await store.size(id)) === size;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}

/** Whether a copy is still what it was: a full backup has to stand by itself. */
async function isIntact(copies: BlobStore, id: string, { size, sha256 }: BlobEntry): Promise<boolean> {
  if (!(await hasBlob(copies, id, size))) return false;
  const hash = createHash('sha256');
  for await (const piece of copies.read(id)) hash.update(piece);
  return hash.digest('hex') === sha256;
}

async function copyOne(from: BlobStore, to: BlobStore, id: string, copied: BlobEntries): Promise<void> {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const piece of from.read(id)) {
      hash.update(piece);
      yield piece;
    }
  }
  try {
    const { size } = await to.write(id, hashed());
    copied.set(id, { size, sha256: hash.digest('hex') });
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error; // it was destroyed just now
  }
}

/** Writes which blobs a run stands for. */
export async function writeBlobList(place: ChainFolder, name: string, blobs: BlobEntries): Promise<FileEntry> {
  async function* lines() {
    for (const [id, { size, sha256 }] of blobs) yield Buffer.from(`${id} ${size} ${sha256}\n`);
  }
  return writeSealed(place, name, lines());
}

/** Every blob that some manifests of a chain stand for. */
export async function readBlobLists(place: ChainFolder, manifests: SignedManifest[]): Promise<BlobEntries> {
  const blobs: BlobEntries = new Map();
  for (const file of manifests.flatMap(({ files }) => files).filter(({ name }) => name.endsWith(BLOB_LIST))) {
    const pieces: Buffer[] = [];
    for await (const piece of readSealed(place, file)) pieces.push(piece);
    for (const line of Buffer.concat(pieces).toString().split('\n')) {
      const [id = '', size, sha256 = ''] = line.split(' ');
      if (id !== '') blobs.set(id, { size: Number(size), sha256 });
    }
  }
  return blobs;
}

export const BLOB_LIST = '.blobs';

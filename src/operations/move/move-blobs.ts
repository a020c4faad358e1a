import { createHash } from 'node:crypto';
import { BlobMissing, type BlobStore } from '../../platform/blob/blob-store.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { unguessableId } from '../../platform/ids.ts';
import { refuseWhileServing } from './refusals.ts';

const AT_ONCE = 8;

/** What both stores hold after a move. */
export interface MovedBlobs {
  files: number;
  bytes: number;
  /** How many of them an earlier move had copied already. */
  found: number;
}

interface Stores {
  from: BlobStore;
  to: BlobStore;
}

interface Fingerprint {
  size: number;
  sha256: string;
}

/**
 * Copies every file of a store into another one and compares them by size and SHA-256. Cut off at any moment, it is
 * called again and goes on; the store that it came from is only read.
 */
export async function moveBlobs(ownerUrl: string, stores: Stores): Promise<MovedBlobs> {
  return withConnection(ownerUrl, async (client) => {
    await refuseWhileServing(client);
    await stores.to.check();
    await refuseForeignFiles(stores);
    await refuseSameStore(stores);
    const moved = await copyEach(stores);
    await refuseWhileServing(client);
    return moved;
  });
}

/** A server removes the files that its database does not know: those of somebody else would be gone after two days. */
async function refuseForeignFiles({ from, to }: Stores): Promise<void> {
  for await (const { id } of to.list()) {
    if ((await sizeIn(from, id)) === null) {
      throw new Error(`--to holds a file that is not of this installation (${id}): name a bucket or prefix of its own`);
    }
  }
}

/** Another way to write the address of a store leads to the very files that would be removed in the end. */
async function refuseSameStore({ from, to }: Stores): Promise<void> {
  const id = unguessableId();
  await to.write(id, once(Buffer.from('carepost')));
  const isSeen = (await sizeIn(from, id)) !== null;
  await to.remove(id);
  if (isSeen) throw new Error('--to leads to the store that is in use');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function copyEach(stores: Stores): Promise<MovedBlobs> {
  const moved = { files: 0, bytes: 0, found: 0 };
  const listed = stores.from.list()[Symbol.asyncIterator]();
  const copyNext = async () => {
    for (let next = await listed.next(); next.done !== true; next = await listed.next()) {
      const { size, found } = await copyOne(stores, next.value.id);
      moved.files += 1;
      moved.bytes += size;
      if (found) moved.found += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return moved;
}

async function copyOne({ from, to }: Stores, id: string): Promise<{ size: number; found: boolean }> {
  if ((await sizeIn(to, id)) === (await from.size(id))) {
    const here = await fingerprintOf(from, id);
    if (isSame(here, await fingerprintOf(to, id))) return { size: here.size, found: true };
  }
  const read = fingerprinted(from.read(id));
  await to.write(id, read.pieces);
  const here = read.fingerprint();
  if (!isSame(here, await fingerprintOf(to, id))) throw new Error(`file ${id} differs after the copy`);
  return { size: here.size, found: false };
}

async function sizeIn(store: BlobStore, id: string): Promise<number | null> {
  try {
    return await store.size(id);
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    throw error;
  }
}

async function fingerprintOf(store: BlobStore, id: string): Promise<Fingerprint> {
  const read = fingerprinted(store.read(id));
  for await (const _ of read.pieces);
  return read.fingerprint();
}

function fingerprinted(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let size = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      hash.update(piece);
      size += piece.byteLength;
      yield piece;
    }
  }
  return { pieces: pieces(), fingerprint: (): Fingerprint => ({ size, sha256: hash.digest('hex') }) };
}

function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one.size === other.size && one.sha256 === other.sha256;
}

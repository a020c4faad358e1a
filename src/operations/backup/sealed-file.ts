import { createHash, hkdfSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { writeWhole } from '../../platform/durable-files.ts';
import { SealBroken } from '../../platform/vault/seal-broken.ts';
import { openStream, sealStream } from '../../platform/vault/sealed-stream.ts';
import { DamagedBackup } from './damaged.ts';

/** Fewer and larger pieces than by default: each is a turn of the event loop. */
const CHUNKS = { chunkSize: 512 * 1024 };

/** A file of a backup as its manifest names it. */
export interface FileEntry {
  name: string;
  size: number;
  sha256: string;
}

/** Where the files of a chain stand, and the key that seals them. */
export interface ChainFolder {
  chain: string;
  folder: string;
  key: Buffer;
}

/** Compresses and seals a stream into a file of a chain. */
export async function writeSealed(
  place: ChainFolder,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<FileEntry> {
  const hash = createHash('sha256');
  let size = 0;
  async function* measured() {
    for await (const piece of sealStream(keyOf(place, name), name, through(source, createZstdCompress(CHUNKS)))) {
      hash.update(piece);
      size += piece.length;
      yield piece;
    }
  }
  await writeWhole(join(place.folder, name), measured());
  return { name, size, sha256: hash.digest('hex') };
}

/** Opens a file of a chain. Whatever is not as its manifest says is a DamagedBackup that names it. */
export async function* readSealed(place: ChainFolder, entry: FileEntry): AsyncGenerator<Buffer> {
  const path = join(place.folder, entry.name);
  const said = `${place.chain}/${entry.name}`;
  try {
    const sealed = checked(path, entry, said);
    yield* through(openStream(keyOf(place, entry.name), entry.name, sealed), createZstdDecompress(CHUNKS));
  } catch (error) {
    throw error instanceof SealBroken ? new DamagedBackup(`${said} cannot be opened`, { cause: error }) : error;
  }
}

/** The bytes of a file; throws a DamagedBackup at its end, at the latest, where it is not what the manifest says. */
export async function* checked(
  path: string,
  { size, sha256 }: Omit<FileEntry, 'name'>,
  said: string,
): AsyncGenerator<Buffer> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new DamagedBackup(`${said} is missing`);
  if (found.size !== size) throw new DamagedBackup(`${said} has ${found.size} bytes instead of ${size}`);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    hash.update(piece as Buffer);
    yield piece as Buffer;
  }
  if (hash.digest('hex') !== sha256) throw new DamagedBackup(`${said} was altered`);
}

function keyOf({ chain, key }: ChainFolder, name: string): Buffer {
  return Buffer.from(hkdfSync('sha512', key, '', `carepost backup\0${chain}\0${name}`, key.length));
}

async function* through(source: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Buffer> {
  let failure: unknown;
  pipeline(Readable.from(source, { objectMode: false }), transform, (error) => (failure = error));
  try {
    for await (const piece of transform) yield piece as Buffer;
  } catch (error) {
    throw failure ?? error; // why the source ended, rather than that the stream was cut
  }
}

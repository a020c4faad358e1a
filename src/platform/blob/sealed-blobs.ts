import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { timeOrderedId } from '../ids.ts';
import { openRange, openStream, sealStream } from '../vault/sealed-stream.ts';
import type { CustomerVault, Vault } from '../vault/vault.ts';
import type { BlobStore, ByteRange } from './blob-store.ts';

declare module '../db/tables.ts' {
  interface Tables {
    blobs: {
      id: string;
      customer_id: number;
      size: number;
      sha256: Buffer;
      file_key: Buffer;
      created_at: Date;
    };
  }
}

/** A file that is durable in the store. Without its row it is an orphan, and swept when no request can still be on its way. */
export interface StoredBlob {
  id: string;
  customerId: number;
  size: number;
  sha256: Buffer;
  fileKey: Buffer;
}

export interface SealedBlobs {
  /** Hashes and seals a file under a key of its own while it streams into the store. */
  write(customerId: number, source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<StoredBlob>;
  /** Opens a file, or some of its bytes. */
  read(customerId: number, id: string, range?: ByteRange): AsyncIterable<Buffer>;
  /** Opens a file that has just come and may never get a row. */
  readNew(blob: StoredBlob): AsyncIterable<Buffer>;
}

const FILE_KEY_BYTES = 32;
/** A file that comes whole would otherwise keep everybody waiting until all of it is hashed. */
const HASHED_AT_ONCE = 64 * 1024;

/** Files of customers, sealed before they reach the store. */
export function createSealedBlobs(deps: { db: Database; store: BlobStore; vault: Vault; clock: Clock }): SealedBlobs {
  const { db, store, vault, clock } = deps;
  return {
    async write(customerId, source) {
      const { id, key, context, fileKey } = newSeal({ clock, keys: await vault.of(customerId) }, customerId);
      const hash = createHash('sha256');
      let size = 0;
      async function* measured() {
        for await (const chunk of source) {
          for (let at = 0; at < chunk.length; at += HASHED_AT_ONCE) {
            const slice = chunk.subarray(at, at + HASHED_AT_ONCE);
            hash.update(slice);
            yield slice;
          }
          size += chunk.length;
        }
      }
      await store.write(id, sealStream(key, context, measured()));
      return { id, customerId, size, sha256: hash.digest(), fileKey };
    },

    async *read(customerId, id, range) {
      const row = await db.tenant([customerId], (tx) =>
        tx
          .selectFrom('blobs')
          .select('file_key')
          .where('customer_id', '=', customerId)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      if (row === undefined) throw new AppError('not_found', 'No such file');
      const key = (await vault.of(customerId)).open(placeOf(id), row.file_key);
      const context = contextOf(customerId, id);
      if (range === undefined) yield* openStream(key, context, store.read(id));
      else {
        const readSealed = (start: number, end: number) => store.read(id, { start, end });
        yield* openRange(key, context, await store.size(id), readSealed, range);
      }
    },

    async *readNew({ customerId, id, fileKey }) {
      const key = (await vault.of(customerId)).open(placeOf(id), fileKey);
      yield* openStream(key, contextOf(customerId, id), store.read(id));
    },
  };
}

/** What a new file is sealed with: a key of its own, and that key sealed under the customer's. */
export function newSeal({ clock, keys }: { clock: Clock; keys: CustomerVault }, customerId: number) {
  const id = timeOrderedId(clock);
  const key = randomBytes(FILE_KEY_BYTES);
  return { id, key, context: contextOf(customerId, id), fileKey: keys.seal(placeOf(id), key) };
}

/** Writes the row of a stored file, in the transaction of whatever refers to it. */
export async function writeBlobRow(tx: Tx, clock: Clock, blob: StoredBlob): Promise<void> {
  await tx
    .insertInto('blobs')
    .values({
      id: blob.id,
      customer_id: blob.customerId,
      size: blob.size,
      sha256: blob.sha256,
      file_key: blob.fileKey,
      created_at: clock.now(),
    })
    .execute();
}

/** Which of these files have a row; the others are orphans. */
export async function referencedBlobs(db: Database, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string }>`select find_blobs(${ids}::uuid[]) as id`.execute(tx),
  );
  return new Set(rows.map((row) => row.id));
}

function contextOf(customerId: number, id: string): string {
  return `blob\0${customerId}\0${id}`;
}

function placeOf(id: string) {
  return { table: 'blobs', row: id, column: 'file_key' };
}

import { sql } from 'kysely';
import type { BlobStore } from '../../../platform/blob/blob-store.ts';
import { type SealedBlobs, type StoredBlob, writeBlobRow } from '../../../platform/blob/sealed-blobs.ts';
import type { BeginBlob } from '../../../platform/blob/sealing/incoming-blobs.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { toAppError } from '../../../platform/http/error-replies.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { removeFiles } from '../../submissions/delete.ts';
import { cutOff, type ReceivedFile } from '../../submissions/receive.ts';
import type { StoredUpload } from '../upload-row.ts';
import { keepWhole, wentOn } from './keep-whole.ts';
import '../../tables.ts';

const MOST_PARTS = 1_000;

export interface PartDeps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  blobStore: BlobStore;
  beginBlob: BeginBlob;
  clock: Clock;
}

/**
 * Takes what one request brings of a file, and tells how far the file has come: as far as it is durable. Where the
 * connection breaks off, what has come is kept before that is thrown.
 */
export async function takePart(
  deps: PartDeps,
  upload: StoredUpload,
  pieces: AsyncIterable<Buffer>,
): Promise<StoredUpload> {
  const keys = await deps.vault.of(upload.customerId);
  const room = upload.length - upload.received;
  const file = deps.beginBlob(keys, upload.customerId, { base64: false });
  let size = 0;
  let broken: AppError | null = null;
  try {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > room) throw new AppError('payload_too_large', 'More bytes came than were announced');
      await file.write(piece);
    }
  } catch (error) {
    broken = cutOff(error);
    if (broken === null) {
      file.abort();
      throw error;
    }
  }
  if (size === 0) file.abort();
  const blobId = size === 0 ? upload.blobId : await keep(deps, upload, await file.end());
  if (broken !== null) throw broken;
  return { ...upload, received: upload.received + size, blobId };
}

/** Keeps a part, and tells where the whole file is if it came at once. */
async function keep(deps: PartDeps, upload: StoredUpload, received: ReceivedFile): Promise<string | null> {
  const { db, vault, blobStore, clock } = deps;
  const keys = await vault.of(upload.customerId);
  const isWhole = upload.received === 0 && received.blob.size === upload.length;
  try {
    await db.tenant([upload.customerId], (tx) =>
      isWhole ? keepWhole(tx, { clock, keys }, upload, received) : keepPart(tx, clock, upload, received.blob),
    );
  } catch (error) {
    // After a failure of ours the rows may be there all the same; a file that nothing refers to is swept.
    if (toAppError(error).status < 500) await removeFiles(blobStore, [received.blob.id]);
    throw error;
  }
  return isWhole ? received.blob.id : null;
}

async function keepPart(tx: Tx, clock: Clock, upload: StoredUpload, blob: StoredBlob): Promise<void> {
  const { id, customerId, received } = upload;
  const { rows } = await sql`
    update form_uploads set received = received + ${blob.size}
    where customer_id = ${customerId} and id = ${id} and received = ${received} and blob_id is null
      and expires_at > ${clock.now()}
    returning id`.execute(tx);
  if (rows.length === 0) throw wentOn();
  await writeBlobRow(tx, clock, blob);
  await tx
    .insertInto('form_upload_parts')
    .values({ upload_id: id, start: received, customer_id: customerId, blob_id: blob.id })
    .execute();
  const { count } = await tx
    .selectFrom('form_upload_parts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('upload_id', '=', id)
    .executeTakeFirstOrThrow();
  if (count > MOST_PARTS) throw new AppError('invalid_request', `A file comes in at most ${MOST_PARTS} parts`);
}

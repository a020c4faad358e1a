import { recordAct } from '../../accounts/index.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { PlacedAttachment } from '../submission/content-frame.ts';
import { openPlaced } from '../submission/sealed-message.ts';
import { actOf } from './act-of.ts';
import type { Pickup } from './find-pickup.ts';
import '../tables.ts';

export interface OpenFile {
  fileName: string;
  contentType: string;
  size: number;
  body: Uint8Array | AsyncIterable<Uint8Array>;
}

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
}

/** Opens one attachment of a message by its place; null where there is none. The opening is written down. */
export async function openFile(
  { db, vault, blobs, clock }: Deps,
  pickup: Pickup,
  place: number,
  requestId: string,
): Promise<OpenFile | null> {
  const { customerId, messageId, ordinal } = pickup;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const { id, sealed } = await tx
      .selectFrom('messages as m')
      .innerJoin('message_contents as c', (join) =>
        join.onRef('c.id', '=', 'm.content_id').onRef('c.customer_id', '=', 'm.customer_id'),
      )
      .select(['c.id', 'c.sealed'])
      .where('m.customer_id', '=', customerId)
      .where('m.id', '=', messageId)
      .executeTakeFirstOrThrow();
    const file = openPlaced(keys, id, sealed).attachments[place];
    if (file === undefined) return null;
    const [size = 0] = await sizesOf(tx, customerId, [file]);
    const act = actOf(pickup, 'recipient', 'pickup.file-opened', requestId);
    await recordAct(tx, clock, act, { target: messageId, details: { recipient: ordinal, file: place } });
    const body = 'content' in file ? file.content : blobs.read(customerId, file.blobId);
    return { fileName: file.fileName, contentType: file.contentType, size, body };
  });
}

/** The sizes of attachments, wherever their bytes are. */
export async function sizesOf(tx: Tx, customerId: number, files: PlacedAttachment[]): Promise<number[]> {
  const ids = files.flatMap((file) => ('blobId' in file ? [file.blobId] : []));
  const rows =
    ids.length === 0
      ? []
      : await tx
          .selectFrom('blobs')
          .select(['id', 'size'])
          .where('customer_id', '=', customerId)
          .where('id', 'in', ids)
          .execute();
  const sizeOf = new Map(rows.map(({ id, size }) => [id, size]));
  return files.map((file) => ('content' in file ? file.content.length : (sizeOf.get(file.blobId) ?? 0)));
}

import { sql } from 'kysely';
import { type SealedBlobs, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { ADDRESS_COLUMN } from '../submission/accept.ts';
import { addressKey } from '../submission/address.ts';
import type { SunkMessage } from './sink.ts';
import '../tables.ts';

const LARGEST_INLINE = 256 * 1024;
const MESSAGE_ID = /^message-id:\s*<([0-9a-f-]{36})@/im;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
}

/** Where the raw message of a sandbox row is sealed. */
export function sandboxPlace(id: string) {
  return { table: 'sandbox_messages', row: id, column: 'sealed' };
}

/** Keeps what the sink received for the customer whose message it is; a second copy changes nothing. */
export async function keepSunkMessage({ db, vault, blobs, clock }: Deps, sunk: SunkMessage): Promise<void> {
  const messageId = MESSAGE_ID.exec(sunk.mime.subarray(0, 64 * 1024).toString('latin1'))?.[1];
  const customerId = messageId === undefined ? null : await ownerOf(db, messageId);
  if (messageId === undefined || customerId === null)
    throw new Error('the sink takes messages of this installation only');
  const keys = await vault.of(customerId);
  const id = timeOrderedId(clock);
  const small = sunk.mime.length <= LARGEST_INLINE;
  const blob = small ? null : await blobs.write(customerId, [sunk.mime]);
  await db.tenant([customerId], async (tx) => {
    if (blob !== null) await writeBlobRow(tx, clock, blob);
    await tx
      .insertInto('sandbox_messages')
      .values({
        id,
        customer_id: customerId,
        message_id: messageId,
        recipient_indexes: sunk.recipients.map((address) => keys.blindIndex(ADDRESS_COLUMN, addressKey(address))),
        tls_version: sunk.tlsVersion,
        tls_cipher: sunk.tlsCipher,
        sealed: small ? keys.seal(sandboxPlace(id), sunk.mime) : null,
        blob_id: blob?.id ?? null,
        received_at: clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['message_id', 'recipient_indexes']).doNothing())
      .execute();
  });
}

async function ownerOf(db: Database, messageId: string): Promise<number | null> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ owner: number | null }>`select find_message_customer(${messageId}) as owner`.execute(tx),
  );
  return rows[0]?.owner ?? null;
}

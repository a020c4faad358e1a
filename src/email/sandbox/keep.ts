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
const FIND = 'select find_message_customer($1) as owner';
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
  const headers = sunk.mime.toString('latin1', 0, sunk.mime.indexOf('\r\n\r\n'));
  const named = MESSAGE_ID.exec(headers)?.[1];
  const found = named === undefined ? null : ((await findMessage(db, named)) ?? (await findNoticed(db, named)));
  if (found === null) throw new Error('the sink takes messages of this installation only');
  const { customerId, messageId } = found;
  const keys = await vault.of(customerId);
  const id = timeOrderedId(clock);
  const small = sunk.mime.length <= LARGEST_INLINE;
  const blob = small ? null : await blobs.write(customerId, [sunk.mime]);
  await db.tenant([customerId], async (tx) => {
    if (blob !== null) await writeBlobRow(tx, clock, blob);
    const kept = await tx
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
      .returning('id')
      .executeTakeFirst();
    // The file of a second copy goes with its row: nothing else would ever lead to it.
    if (kept === undefined && blob !== null) {
      await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', '=', blob.id).execute();
    }
  });
}

interface Found {
  customerId: number;
  messageId: string;
}

async function findMessage(db: Database, messageId: string): Promise<Found | null> {
  const [row] = await db.call<{ owner: number | null }>({ name: 'find-message', text: FIND, values: [messageId] });
  const customerId = row?.owner ?? null;
  return customerId === null ? null : { customerId, messageId };
}

/** The message that a notice stands for: its Message-ID is that of the pickup. */
async function findNoticed(db: Database, pickupId: string): Promise<Found | null> {
  const row = await db.untenanted((tx) =>
    tx.selectFrom('pickups').select(['customer_id', 'message_id']).where('id', '=', pickupId).executeTakeFirst(),
  );
  return row === undefined ? null : { customerId: row.customer_id, messageId: row.message_id };
}

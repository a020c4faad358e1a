import { sql } from 'kysely';
import PostalMime, { type Email } from 'postal-mime';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { ADDRESS_COLUMN } from '../submission/accept.ts';
import { addressKey } from '../submission/address.ts';
import { sandboxPlace } from './keep.ts';
import '../tables.ts';

const NEWEST = 50;

export interface InboxMessage {
  sourceTrackingId: string;
  from: string;
  to: string[];
  subject: string;
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: { fileName: string; contentType: string; size: number }[];
  tls: { version: string; cipher: string };
}

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
}

/** The newest messages that a customer's own sends left in the sandbox, to one address or to all. */
export async function readInbox(
  { db, vault, blobs, clock }: Deps,
  act: Act,
  to: string | null,
): Promise<InboxMessage[]> {
  const keys = await vault.of(act.customerId);
  const rows = await db.tenant([act.customerId], async (tx) => {
    let query = tx.selectFrom('sandbox_messages').selectAll().where('customer_id', '=', act.customerId);
    if (to !== null) {
      const index = keys.blindIndex(ADDRESS_COLUMN, addressKey(to));
      query = query.where(sql<boolean>`${index} = any(recipient_indexes)`);
    }
    const found = await query.orderBy('id', 'desc').limit(NEWEST).execute();
    await recordAct(tx, clock, act, { details: { messages: found.map((row) => row.message_id) } });
    return found;
  });
  return Promise.all(
    rows.map(async (row) => {
      const mime =
        row.sealed === null
          ? Buffer.concat(await Array.fromAsync(blobs.read(act.customerId, row.blob_id as string)))
          : openSmall(keys, row);
      return describe(row, await PostalMime.parse(mime));
    }),
  );
}

function openSmall(keys: CustomerVault, row: { id: string; sealed: Buffer | null }): Buffer {
  return keys.open(sandboxPlace(row.id), row.sealed as Buffer);
}

function describe(row: { message_id: string; tls_version: string; tls_cipher: string }, mail: Email): InboxMessage {
  return {
    sourceTrackingId: row.message_id,
    from: mail.from?.address ?? '',
    to: (mail.to ?? []).map((mailbox) => mailbox.address ?? ''),
    subject: mail.subject ?? '',
    headers: Object.fromEntries(mail.headers.map(({ originalKey, value }) => [originalKey, value])),
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map((attachment) => ({
      fileName: attachment.filename ?? '',
      contentType: attachment.mimeType,
      size: (attachment.content as ArrayBuffer).byteLength,
    })),
    tls: { version: row.tls_version, cipher: row.tls_cipher },
  };
}

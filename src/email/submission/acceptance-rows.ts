import { CompiledQuery } from 'kysely';
import type { AuditRow } from '../../accounts/index.ts';
import type { StoredBlob } from '../../platform/blob/sealed-blobs.ts';
import type { Database, Query, Tx } from '../../platform/db/database.ts';
import { PackedBytes, toHex } from '../../platform/db/packed-bytes.ts';
import { type IdempotencyRow, keepRepliesQuery } from '../../platform/http/idempotency.ts';
import { momentText } from '../../platform/moment-text.ts';

/** Everything that one accepted request writes. */
export interface Acceptance {
  customerId: number;
  messages: {
    id: string;
    sender: { keyId: string | null; mode: 'live' | 'test' };
    fromAddress: string;
    at: Date;
    envelope: Buffer;
    content: Buffer;
    blobIds: string[];
  }[];
  recipients: { messageId: string; ordinal: number; addressIndex: Buffer; domain: string; dueAt: Date }[];
  audit: AuditRow[];
  blobs: { blob: StoredBlob; at: Date }[];
  schedules: { messageId: string; at: Date; as: string; createdAt: Date }[];
  idempotency: { row: IdempotencyRow; at: Date }[];
}

/** How much of a transaction an acceptance takes up. */
export function sizeOf(acceptance: Acceptance): number {
  return acceptance.messages.reduce((sum, { envelope, content }) => sum + envelope.length + content.length, 0);
}

const ACCEPT = 'select accept_messages($1, $2, $3, $4, $5)';

const KEEP_BLOBS = `
  insert into blobs (id, customer_id, size, sha256, file_key, created_at)
  select * from json_to_recordset($1::json)
    as b (id uuid, customer_id int, size bigint, sha256 bytea, file_key bytea, created_at timestamptz)`;

const KEEP_SCHEDULES = `
  insert into scheduled_messages (message_id, customer_id, scheduled_at, scheduled_as, created_at)
  select * from json_to_recordset($1::json)
    as s (message_id uuid, customer_id int, scheduled_at timestamptz, scheduled_as text, created_at timestamptz)`;

/** Writes acceptances in one transaction: a single call, unless some have more to keep beside their messages. */
export async function writeAcceptances(db: Database, acceptances: Acceptance[]): Promise<void[]> {
  const customers = [...new Set(acceptances.map((acceptance) => acceptance.customerId))];
  const accept = acceptQuery(customers, acceptances);
  const beside = besideQueries(acceptances);
  if (beside.length === 0) await db.call(accept);
  else
    await db.raw(customers, async (client) => {
      for (const query of [...beside, accept]) await client.query(query);
    });
  return acceptances.map(() => undefined);
}

/** Writes an acceptance in a transaction that is more than that. */
export async function writeAcceptance(tx: Tx, acceptance: Acceptance): Promise<void> {
  for (const { text, values } of [...besideQueries([acceptance]), acceptQuery([acceptance.customerId], [acceptance])])
    await tx.executeQuery(CompiledQuery.raw(text, values));
}

function acceptQuery(customers: number[], acceptances: Acceptance[]): Query {
  const { messages, bytes, recipients, audit } = acceptanceValues(acceptances);
  const values = [customers, JSON.stringify(messages), bytes, JSON.stringify(recipients), JSON.stringify(audit)];
  return { name: 'accept-messages', text: ACCEPT, values };
}

/** Acceptances as accept_messages() takes them, for whoever calls it from a function of its own. */
export function acceptanceValues(acceptances: Acceptance[]) {
  const { rows, bytes } = messageRows(acceptances);
  const audit = acceptances.flatMap((acceptance) => acceptance.audit);
  return { messages: rows, bytes, recipients: recipientRows(acceptances), audit };
}

/** What stands beside the messages of some acceptances: files, schedules, replies to be given again. */
function besideQueries(acceptances: Acceptance[]): Query[] {
  const kept = [
    { name: 'keep-blobs', text: KEEP_BLOBS, rows: blobRows(acceptances) },
    { name: 'keep-schedules', text: KEEP_SCHEDULES, rows: scheduleRows(acceptances) },
  ];
  const queries = kept.flatMap(({ name, text, rows }) =>
    rows.length === 0 ? [] : [{ name, text, values: [JSON.stringify(rows)] }],
  );
  const replies = acceptances.flatMap(({ idempotency }) => idempotency);
  return replies.length === 0 ? queries : [...queries, keepRepliesQuery(replies)];
}

function messageRows(acceptances: Acceptance[]) {
  const packed = new PackedBytes();
  const rows = acceptances.flatMap(({ customerId, messages }) =>
    messages.map(({ id, sender, fromAddress, at, envelope, content, blobIds }) => ({
      id,
      customer_id: customerId,
      key_id: sender.keyId,
      mode: sender.mode,
      from_address: fromAddress,
      at: momentText(at),
      envelope_at: packed.place(envelope),
      envelope_length: envelope.length,
      content_at: packed.place(content),
      content_length: content.length,
      ...(blobIds.length === 0 ? {} : { blob_ids: blobIds }),
    })),
  );
  return { rows, bytes: packed.bytes };
}

function recipientRows(acceptances: Acceptance[]) {
  return acceptances.flatMap(({ customerId, recipients }) =>
    recipients.map(({ messageId, ordinal, addressIndex, domain, dueAt }) => ({
      message_id: messageId,
      ordinal,
      customer_id: customerId,
      address_index: toHex(addressIndex),
      domain,
      due_at: momentText(dueAt),
    })),
  );
}

function blobRows(acceptances: Acceptance[]) {
  return acceptances.flatMap(({ blobs }) =>
    blobs.map(({ blob, at }) => ({
      id: blob.id,
      customer_id: blob.customerId,
      size: blob.size,
      sha256: toHex(blob.sha256),
      file_key: toHex(blob.fileKey),
      created_at: at,
    })),
  );
}

function scheduleRows(acceptances: Acceptance[]) {
  return acceptances.flatMap(({ customerId, schedules }) =>
    schedules.map(({ messageId, at, as, createdAt }) => ({
      message_id: messageId,
      customer_id: customerId,
      scheduled_at: at,
      scheduled_as: as,
      created_at: createdAt,
    })),
  );
}

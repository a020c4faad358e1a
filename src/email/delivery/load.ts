import { sql } from 'kysely';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Database } from '../../platform/db/database.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Message } from '../submission/message.ts';
import { type Envelope, openContent, openEnvelope } from '../submission/sealed-message.ts';
import { type Reason, STOPS_ALL_MAIL } from '../suppressions/reason.ts';
import { DEFAULT_TRACKING, type TrackingSettings } from '../tracking/track.ts';
import '../tables.ts';

/** A message of which the envelope is open; the content may be large and is opened when its turn comes. */
export interface OpenedMessage {
  id: string;
  customerId: number;
  createdAt: Date;
  envelope: Envelope;
  openContent(): Promise<Pick<Message, 'text' | 'html' | 'attachments'>>;
  tracking: TrackingSettings;
}

interface Deps {
  vault: Vault;
  blobs: SealedBlobs;
}

export interface StoredMessage {
  id: string;
  customer_id: number;
  mode: 'live' | 'test';
  from_address: string;
  created_at: Date;
  scheduled_at: Date | null;
  envelope: Buffer;
  sealed: Buffer;
  /** How large the files are that belong to the content and do not stand in it. */
  file_bytes: number;
  open_tracking: boolean | null;
  link_tracking: boolean | null;
  /** The recipients that get no mail, and why. */
  suppressed: { ordinal: number; reason: Reason }[];
}

/** Reads leased messages, still sealed, showing the transaction just the customers they belong to. */
export async function readStored(
  db: Database,
  messages: { id: string; customerId: number }[],
): Promise<StoredMessage[]> {
  const customers = [...new Set(messages.map((message) => message.customerId))];
  return db.tenant(customers, (tx) =>
    tx
      .selectFrom('messages as m')
      .innerJoin('message_contents as c', (join) =>
        join.onRef('c.id', '=', 'm.content_id').onRef('c.customer_id', '=', 'm.customer_id'),
      )
      .leftJoin('email_settings as s', 's.customer_id', 'm.customer_id')
      .leftJoin('scheduled_messages as w', (join) =>
        join.onRef('w.message_id', '=', 'm.id').onRef('w.customer_id', '=', 'm.customer_id'),
      )
      .modifyFront(preparedAs('read-leased'))
      .select([
        'm.id',
        'm.customer_id',
        'm.mode',
        'm.from_address',
        'm.created_at',
        'm.envelope',
        'c.sealed',
        sql<number>`case when c.blob_ids is null then 0 else (
          select coalesce(sum(b.size), 0)::float8 from blobs b
          where b.customer_id = m.customer_id and b.id = any(c.blob_ids)) end`.as('file_bytes'),
        's.open_tracking',
        's.link_tracking',
        'w.scheduled_at',
        sql<StoredMessage['suppressed']>`(
          select coalesce(json_agg(json_build_object('ordinal', r.ordinal, 'reason', s.reason)), '[]')
          from message_recipients r join suppressions s on s.customer_id = r.customer_id
            and s.address_index = r.address_index and s.reason = any(${STOPS_ALL_MAIL}::text[])
          where r.customer_id = m.customer_id and r.message_id = m.id)`.as('suppressed'),
      ])
      .where('m.customer_id', '=', sql<number>`any(${customers}::int[])`)
      .where('m.id', '=', sql<string>`any(${messages.map((message) => message.id)}::uuid[])`)
      .execute(),
  );
}

/** Opens a stored message. */
export async function openMessage({ vault, blobs }: Deps, stored: StoredMessage): Promise<OpenedMessage> {
  const { id, customer_id: customerId } = stored;
  const keys = await vault.of(customerId);
  return {
    id,
    customerId,
    createdAt: stored.created_at,
    envelope: openEnvelope(keys, id, stored.envelope),
    openContent: () => openContent({ keys, blobs }, customerId, id, stored.sealed),
    tracking: {
      openTracking: stored.open_tracking ?? DEFAULT_TRACKING.openTracking,
      linkTracking: stored.link_tracking ?? DEFAULT_TRACKING.linkTracking,
    },
  };
}

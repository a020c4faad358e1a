import { sql } from 'kysely';
import { hasAgreement, recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { DELIVERED } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import type { Address } from '../submission/address.ts';
import { openEnvelope, openPlaced } from '../submission/sealed-message.ts';
import { countOpen } from '../tracking/engagement.ts';
import { actOf } from './act-of.ts';
import type { Pickup } from './find-pickup.ts';
import { sizesOf } from './letter-files.ts';
import '../tables.ts';

export interface LetterFile {
  fileName: string;
  size: number;
  contentId: string | null;
}

/** A message as its recipient reads it. */
export interface Letter {
  from: Address;
  subject: string;
  sentAt: Date;
  until: Date;
  text: string | null;
  html: string | null;
  files: LetterFile[];
  /** Whether the sender may take in what a reply would say. */
  takesReplies: boolean;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Opens a message for its recipient. The opening is written down, and the first one is its delivery. */
export async function openLetter({ db, vault, clock }: Deps, pickup: Pickup, requestId: string): Promise<Letter> {
  const { customerId, messageId, ordinal } = pickup;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const message = await readMessage(tx, pickup);
    const envelope = openEnvelope(keys, messageId, message.envelope);
    const { text, html, attachments } = openPlaced(keys, messageId, message.sealed);
    const sizes = await sizesOf(tx, customerId, attachments);
    await noteOpening(tx, clock, pickup);
    if (envelope.recipients.length === 1) await countOpen(tx, clock, { customerId, messageId, byMachine: false });
    const act = actOf(pickup, 'recipient', 'pickup.opened', requestId);
    await recordAct(tx, clock, act, { target: messageId, details: { recipient: ordinal } });
    return {
      from: envelope.from,
      subject: envelope.subject,
      sentAt: message.scheduled_at ?? message.created_at,
      until: pickup.expiresAt,
      text,
      html,
      files: attachments.map(({ fileName, contentId }, index) => ({ fileName, contentId, size: sizes[index] ?? 0 })),
      takesReplies: await hasAgreement(tx, clock, customerId),
    };
  });
}

async function readMessage(tx: Tx, { customerId, messageId }: Pickup) {
  return tx
    .selectFrom('messages as m')
    .innerJoin('message_contents as c', (join) =>
      join.onRef('c.id', '=', 'm.content_id').onRef('c.customer_id', '=', 'm.customer_id'),
    )
    .leftJoin('scheduled_messages as s', (join) =>
      join.onRef('s.message_id', '=', 'm.id').onRef('s.customer_id', '=', 'm.customer_id'),
    )
    .select(['m.envelope', 'm.created_at', 's.scheduled_at', 'c.sealed'])
    .where('m.customer_id', '=', customerId)
    .where('m.id', '=', messageId)
    .executeTakeFirstOrThrow();
}

/** A recipient still in the queue has got the notice all the same: its reply was lost, or is on its way. */
async function noteOpening(tx: Tx, clock: Clock, { customerId, id, messageId, ordinal }: Pickup): Promise<void> {
  const now = clock.now();
  await sql`update pickups set openings = openings + 1, opened_at = coalesce(opened_at, ${now})
    where customer_id = ${customerId} and id = ${id}`.execute(tx);
  const { rows } = await sql`
    update message_recipients set state = 'delivered', portal = true, due_at = null, parked = false, settled_at = ${now}
    where customer_id = ${customerId} and message_id = ${messageId} and ordinal = ${ordinal}
      and state in ('queued', 'noticed')
    returning ordinal`.execute(tx);
  if (rows.length === 0) return;
  await recordEvents(tx, clock, [{ customerId, messageId, ordinal, name: DELIVERED, at: now }]);
}

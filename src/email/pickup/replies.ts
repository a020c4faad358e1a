import { hasAgreement } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { AcceptMessages } from '../submission/accept.ts';
import { DEFAULT_HANDLING, type Message, type Recipient } from '../submission/message.ts';
import { messageIdOf } from '../submission/message-id.ts';
import type { Envelope } from '../submission/sealed-message.ts';
import { actOf } from './act-of.ts';
import type { Pickup } from './find-pickup.ts';
import { holdPickup } from './hold-pickup.ts';
import { readEnvelope } from './read-envelope.ts';
import { DAY_MS, REPLIES_A_DAY } from './rules.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  acceptMessages: AcceptMessages;
  systemFrom: string;
}

export type ReplyVerdict = 'sent' | 'too many' | 'not taken';

/** Sends a recipient's reply to the sender. It holds content, and so travels by the rules for content. */
export async function sendReply(deps: Deps, pickup: Pickup, text: string, requestId: string): Promise<ReplyVerdict> {
  const { db, vault, acceptMessages, systemFrom } = deps;
  const verdict = await db.tenant([pickup.customerId], (tx) => countReply(tx, deps.clock, pickup));
  if (verdict !== 'sent') return verdict;
  const envelope = await readEnvelope(db, await vault.of(pickup.customerId), pickup);
  const act = actOf(pickup, 'recipient', 'pickup.replied', requestId);
  const reply = replyTo(envelope, pickup, { systemFrom, text });
  await acceptMessages(act, { keyId: null, mode: pickup.mode }, [reply]);
  return 'sent';
}

async function countReply(tx: Tx, clock: Clock, pickup: Pickup): Promise<ReplyVerdict> {
  const { customerId, id } = pickup;
  await holdPickup(tx, pickup);
  if (!(await hasAgreement(tx, clock, customerId))) return 'not taken';
  const { count } = await tx
    .selectFrom('pickup_replies')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('customer_id', '=', customerId)
    .where('pickup_id', '=', id)
    .where('created_at', '>', new Date(clock.now().getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  if (Number(count) >= REPLIES_A_DAY) return 'too many';
  await tx
    .insertInto('pickup_replies')
    .values({ id: timeOrderedId(clock), customer_id: customerId, pickup_id: id, created_at: clock.now() })
    .execute();
  return 'sent';
}

function replyTo(
  envelope: Envelope,
  { messageId, ordinal }: Pickup,
  { systemFrom, text }: { systemFrom: string; text: string },
): Message {
  const { address } = envelope.recipients[ordinal] as Recipient;
  const wanted = envelope.replyTo.length === 0 ? [envelope.from] : envelope.replyTo;
  const original = messageIdOf(messageId, envelope.from.address);
  return {
    // The name stays our own: a notice of this reply would show it to whoever listens.
    from: { name: 'Carepost', address: systemFrom },
    replyTo: [{ name: null, address }],
    subject: /^re:/i.test(envelope.subject) ? envelope.subject : `Re: ${envelope.subject}`,
    headers: { 'In-Reply-To': original, References: original },
    recipients: wanted.map((each) => ({ kind: 'to', ...each })),
    text,
    html: null,
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false },
  };
}

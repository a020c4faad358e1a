import { sql } from 'kysely';
import { type AcceptMessages, type LinkTokens, STOPS_MAILINGS, suppressedAmong } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { type ConfirmLink, timesConfirmed } from './confirmation.ts';
import { confirmationMail } from './confirmation-mail.ts';
import { senderName } from './sender-name.ts';
import '../tables.ts';

/** The side job that asks for a confirmation. */
export const CONFIRM_TASK = 'marketing.confirm';

const PAUSE_MS = 24 * 3600_000;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  clock: Clock;
  acceptMessages: AcceptMessages;
  tokens: LinkTokens;
  systemFrom: string;
  publicUrl: string;
}

interface Wanted {
  customerId: number;
  subscriberId: string;
  listId: number;
}

/**
 * Asks somebody by mail to confirm that they want to be on a list, an address at most once a day: anybody can fill in a
 * form with that of somebody else. Who has opted out, or whose mail bounces, is not asked.
 */
export async function sendConfirmation(deps: Deps, wanted: Wanted): Promise<void> {
  const { customerId, subscriberId, listId } = wanted;
  const keys = await deps.vault.of(customerId);
  await deps.db.tenant([customerId], async (tx) => {
    const asked = await lockPending(tx, wanted);
    if (asked === null || (await sentLately(tx, deps.clock, wanted, asked))) return;
    const stopped = await suppressedAmong(tx, keys, customerId, [asked.email], STOPS_MAILINGS);
    if (stopped.size > 0) return;
    const { id, number } = asked;
    const link = `${deps.publicUrl}/t/${deps.tokens.make({ kind: 'confirm', id, number })}`;
    const sender = await senderName(tx, customerId);
    const { list, text, email: address } = asked;
    const mail = confirmationMail({ systemFrom: deps.systemFrom, sender, list, text, address, link });
    const actor = { kind: 'worker', id: 'marketing' } as const;
    const act = { customerId, actor, action: 'subscription.confirmation-sent', requestId: null };
    const [accepted] = await deps.acceptMessages(act, { keyId: null, mode: 'live' }, [mail]);
    await tx
      .insertInto('consent_changes')
      .values({
        id: timeOrderedId(deps.clock),
        customer_id: customerId,
        subscriber_id: subscriberId,
        subscription_list_id: listId,
        change: 'confirmation_sent',
        source: 'link',
        evidence: JSON.stringify({
          subscription: id,
          link: number,
          ...(accepted && { message: accepted.sourceTrackingId }),
        }),
        at: deps.clock.now(),
      })
      .execute();
  });
}

interface Pending extends ConfirmLink {
  email: string;
  list: string;
  text: string | null;
}

/** The subscription that waits to be confirmed, held so that two jobs do not both ask. */
async function lockPending(tx: Tx, { customerId, subscriberId, listId }: Wanted): Promise<Pending | null> {
  await sql`
    select from subscriptions where customer_id = ${customerId} and subscriber_id = ${subscriberId}
      and subscription_list_id = ${listId} and pending for update`.execute(tx);
  // A statement of its own: what a lock was waited for may have changed the address.
  const { rows } = await sql<Pending>`
    select c.id, ${timesConfirmed(customerId)} as number, s.email, l.name as list, t.text from subscriptions c
    join subscribers s on s.customer_id = ${customerId} and s.id = c.subscriber_id
    join subscription_lists l on l.customer_id = ${customerId} and l.id = c.subscription_list_id
    left join consent_texts t on t.customer_id = ${customerId} and t.id = l.consent_text_id
    where c.customer_id = ${customerId} and c.subscriber_id = ${subscriberId} and c.subscription_list_id = ${listId}
      and c.pending and s.email is not null and s.unsubscribed_at is null`.execute(tx);
  return rows[0] ?? null;
}

/** Whether the mail with this link was sent; another address has another, and so has who confirmed the one before. */
async function sentLately(
  tx: Tx,
  clock: Clock,
  { customerId, subscriberId, listId }: Wanted,
  link: ConfirmLink,
): Promise<boolean> {
  const sent = await tx
    .selectFrom('consent_changes')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('subscriber_id', '=', subscriberId)
    .where('subscription_list_id', '=', listId)
    .where('change', '=', 'confirmation_sent')
    .where(sql`evidence->>'subscription'`, '=', link.id)
    .where(sql`coalesce(evidence->>'link', '0')`, '=', String(link.number))
    .where('at', '>', new Date(clock.now().getTime() - PAUSE_MS))
    .executeTakeFirst();
  return sent !== undefined;
}

import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Evidence } from './change.ts';
import '../tables.ts';

/** Somebody's place on a list, to be confirmed or already so. */
export interface Asked {
  customerId: number;
  subscriberId: string;
  listId: number;
  list: string;
  /** The words that they agree to, and their number. */
  text: string | null;
  textId: number | null;
  /** Spent: it is to be confirmed, but not by this link, which is from before they confirmed for the last time. */
  state: 'pending' | 'spent' | 'on' | 'off';
}

/** A link by which somebody confirms: the place on a list, and how often they had confirmed it when the link was sent. */
export interface ConfirmLink {
  id: string;
  number: number;
}

/** What a link asks somebody to confirm; null where the subscription is gone. */
export async function readAsked(tx: Tx, customerId: number, { id, number }: ConfirmLink): Promise<Asked | null> {
  const { rows } = await sql<Asked>`
    select c.customer_id as "customerId", c.subscriber_id as "subscriberId", l.id as "listId", l.name as list, t.text,
      t.id as "textId", case when c.unsubscribed_at is not null then 'off' when not c.pending then 'on'
        when ${timesConfirmed(customerId)} = ${number} then 'pending' else 'spent' end as state
    from subscriptions c join subscription_lists l on l.customer_id = ${customerId} and l.id = c.subscription_list_id
    left join consent_texts t on t.customer_id = ${customerId} and t.id = l.consent_text_id
    where c.customer_id = ${customerId} and c.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The same, held against a change of their address: a link that was read is followed before it leads nowhere. */
export async function holdAsked(tx: Tx, customerId: number, link: ConfirmLink): Promise<Asked | null> {
  await sql`select from subscriptions where customer_id = ${customerId} and id = ${link.id} for update`.execute(tx);
  return readAsked(tx, customerId, link);
}

/** How often the person of a subscription `c` has confirmed its list, as far as the number in a link goes. */
export function timesConfirmed(customerId: number): RawBuilder<number> {
  return sql`(select least(count(*), 65535)::int from consent_changes h where h.customer_id = ${customerId}
    and h.subscriber_id = c.subscriber_id and h.subscription_list_id = c.subscription_list_id and h.change = 'confirmed')`;
}

/** Confirms that somebody wants to be on a list; false where that was not asked. */
export async function confirmList(
  tx: Tx,
  { customerId, subscriberId, listId }: Pick<Asked, 'customerId' | 'subscriberId' | 'listId'>,
  { details, at }: Evidence,
): Promise<boolean> {
  const { rows } = await sql<{ confirmed: boolean }>`select confirm_list(${customerId}, ${subscriberId}, ${listId},
    ${JSON.stringify(details)}::jsonb, ${at}) as confirmed`.execute(tx);
  return rows[0]?.confirmed === true;
}

import { sql } from 'kysely';
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
  state: 'pending' | 'on' | 'off';
}

/** What a subscription asks somebody to confirm; null where it is gone. */
export async function readAsked(tx: Tx, customerId: number, subscriptionId: string): Promise<Asked | null> {
  const { rows } = await sql<Asked>`
    select c.customer_id as "customerId", c.subscriber_id as "subscriberId", l.id as "listId", l.name as list, t.text,
      t.id as "textId", case when c.pending then 'pending' when c.unsubscribed_at is null then 'on' else 'off' end as state
    from subscriptions c join subscription_lists l on l.customer_id = ${customerId} and l.id = c.subscription_list_id
    left join consent_texts t on t.customer_id = ${customerId} and t.id = l.consent_text_id
    where c.customer_id = ${customerId} and c.id = ${subscriptionId}`.execute(tx);
  return rows[0] ?? null;
}

/** The same, held against a change of their address: a link that was read is followed before it leads nowhere. */
export async function holdAsked(tx: Tx, customerId: number, subscriptionId: string): Promise<Asked | null> {
  await sql`select from subscriptions where customer_id = ${customerId} and id = ${subscriptionId} for update`.execute(
    tx,
  );
  return readAsked(tx, customerId, subscriptionId);
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

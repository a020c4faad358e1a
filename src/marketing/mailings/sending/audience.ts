import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { BEFORE_ALL_IDS } from '../../../platform/ids.ts';
import type { Send } from './send.ts';
import { standing } from './standing.ts';
import '../../tables.ts';

/** How many are looked at in one statement, whether or not they are meant: a segment may fit hardly anybody. */
const STRETCH = 20_000;

interface AudiencePage {
  people: number;
  excluded: number;
}

/**
 * Writes the next page of a send's audience into the ledger, and how far it got in the same transaction: whatever
 * happens, everybody is there once. Who must not be written to has a row too, with the rule that says so. Answers
 * whether it was the last page.
 */
export async function writeAudiencePage(
  tx: Tx,
  clock: Clock,
  send: Send,
  segment: RawBuilder<boolean> | null,
): Promise<boolean> {
  const { customer_id: customerId, id } = send;
  const now = clock.now();
  const end = await endOfStretch(tx, send);
  const { rows } = await sql<AudiencePage>`
    with person as (${audienceOf(send, segment, end)}), meant as (
      select person.subscriber_id, person.email, case
        when person.email is null then 'no_address'
        when person.opted_out then 'opted_out'
        when person.pending then 'unconfirmed'
        when person.left then 'left_list'
      end as rule from person
    ), written as (
      insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, rule, due_at,
        settled_at)
      select time_ordered_id(${now}), ${customerId}, ${id}, ${send.mailing_id}, subscriber_id,
        coalesce(lower(substring(email from '@([^@]*)$')), ''), case when rule is null then 'queued' else 'excluded' end, rule,
        case when rule is null then ${now}::timestamptz end, case when rule is not null then ${now}::timestamptz end
      from meant
      returning rule
    )
    select count(*) as people, count(rule) as excluded from written`.execute(tx);
  const { people, excluded } = rows[0] as AudiencePage;
  await sql`update send_counts set people = people + ${people}, excluded = excluded + ${excluded}
    where customer_id = ${customerId} and send_id = ${id}`.execute(tx);
  await tx
    .updateTable('campaign_mailing_sends')
    .set({ place: end ?? send.place, audience_complete: end === null, updated_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute();
  return end === null;
}

/** The last person of the next stretch; null where it goes to the end. */
async function endOfStretch(tx: Tx, send: Send): Promise<string | null> {
  const { customer_id: customerId, subscription_list_id: listId, subscriber_ids: ids, place } = send;
  if (ids !== null) return null;
  const everybody =
    listId === null
      ? sql`select id from subscribers where customer_id = ${customerId} and id > ${place ?? BEFORE_ALL_IDS} order by id`
      : sql`select subscriber_id as id from subscriptions where customer_id = ${customerId}
          and subscription_list_id = ${listId} and subscriber_id > ${place ?? BEFORE_ALL_IDS} order by subscriber_id`;
  const { rows } = await sql<{ id: string }>`${everybody} offset ${STRETCH - 1} limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

function audienceOf(send: Send, segment: RawBuilder<boolean> | null, end: string | null): RawBuilder<unknown> {
  const { customer_id: customerId, subscription_list_id: listId, subscriber_ids: ids } = send;
  const place = send.place ?? BEFORE_ALL_IDS;
  const within = (id: RawBuilder<unknown>) => sql`${id} > ${place} and (${end}::uuid is null or ${id} <= ${end}::uuid)`;
  if (listId !== null) {
    return sql`
      select c.subscriber_id, s.email, s.unsubscribed_at is not null as opted_out, c.pending,
        c.unsubscribed_at is not null as left
      from subscriptions c join subscribers s on s.customer_id = c.customer_id and s.id = c.subscriber_id
      where c.customer_id = ${customerId} and c.subscription_list_id = ${listId} and ${within(sql`c.subscriber_id`)}
        and ${segment ?? sql`true`}`;
  }
  const among = ids === null ? (segment ?? sql`true`) : sql`s.id = any(${ids}::uuid[])`;
  return sql`
    select s.id as subscriber_id, s.email, s.unsubscribed_at is not null as opted_out,
      c.pending and not c.active as pending, not c.active as left
    from subscribers s cross join ${standing(customerId, sql`s.id`)} c
    where s.customer_id = ${customerId} and ${within(sql`s.id`)} and ${among}`;
}

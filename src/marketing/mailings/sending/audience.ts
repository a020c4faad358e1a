import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

const PAGE = 10_000;

interface AudiencePage {
  people: number;
  excluded: number;
  last: string | null;
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
  const { rows } = await sql<AudiencePage>`
    with person as (${audienceOf(send, segment)}), meant as (
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
        coalesce(substring(email from '@([^@]*)$'), ''), case when rule is null then 'queued' else 'excluded' end, rule,
        case when rule is null then ${now}::timestamptz end, case when rule is not null then ${now}::timestamptz end
      from meant
      returning rule
    )
    select (select count(*) from written) as people, (select count(rule) from written) as excluded,
      (select subscriber_id from meant order by subscriber_id desc limit 1) as last`.execute(tx);
  const { people, excluded, last } = rows[0] as AudiencePage;
  await sql`update send_counts set people = people + ${people}, excluded = excluded + ${excluded}
    where customer_id = ${customerId} and send_id = ${id}`.execute(tx);
  await tx
    .updateTable('campaign_mailing_sends')
    .set({ place: last ?? send.place, audience_complete: people < PAGE, updated_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute();
  return people < PAGE;
}

function audienceOf(send: Send, segment: RawBuilder<boolean> | null): RawBuilder<unknown> {
  const { customer_id: customerId, subscription_list_id: listId, subscriber_ids: ids } = send;
  const place = send.place ?? '00000000-0000-0000-0000-000000000000';
  if (listId !== null) {
    return sql`
      select c.subscriber_id, s.email, s.unsubscribed_at is not null as opted_out, c.pending,
        c.unsubscribed_at is not null as left
      from subscriptions c join subscribers s on s.customer_id = c.customer_id and s.id = c.subscriber_id
      where c.customer_id = ${customerId} and c.subscription_list_id = ${listId} and c.subscriber_id > ${place}
        and ${segment ?? sql`true`}
      order by c.subscriber_id limit ${PAGE}`;
  }
  const among = ids === null ? (segment ?? sql`true`) : sql`s.id = any(${ids}::uuid[])`;
  return sql`
    select s.id as subscriber_id, s.email, s.unsubscribed_at is not null as opted_out, false as pending, false as left
    from subscribers s where s.customer_id = ${customerId} and s.id > ${place} and ${among}
    order by s.id limit ${PAGE}`;
}

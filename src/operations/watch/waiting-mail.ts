import { type RawBuilder, sql } from 'kysely';
import { OLDEST_WAITING_MS } from '../../email/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { readBriefly } from './read-briefly.ts';

/** Mail that waits for a domain, and since when the oldest of it has been on its way. */
export interface WaitingMail {
  domain: string;
  waiting: number;
  since: Date;
}

/** Which mail may wait at a moment: none from before the partitions of the last weeks. */
export function youngAt(now: Date): RawBuilder<unknown> {
  return sql`message_id >= ${firstIdAt(new Date(now.getTime() - OLDEST_WAITING_MS))}::uuid`;
}

/**
 * Mail that is due or was put off, by domain: of every customer what has been due longest and what is tried next, as
 * many as their share of what is counted.
 */
export function readDueMail(workerDb: Database, now: Date, mostCounted: number): Promise<WaitingMail[]> {
  const queued = sql`due_at is not null and ${youngAt(now)}`;
  const customerAfter = (customer: RawBuilder<unknown>) => sql`
    select customer_id from message_recipients where ${queued} and customer_id > ${customer}
    order by customer_id limit 1`;
  const some = (wanted: RawBuilder<unknown>) => sql`
    (select domain, message_id, ordinal, attempts, due_at from message_recipients
      where ${queued} and customer_id = c.customer_id and ${wanted}
      order by due_at limit (select greatest(1, ${mostCounted}::int / count(*)) from customers))`;
  return readBriefly(
    workerDb,
    sql<WaitingMail>`
      with recursive customers as (
        (${customerAfter(sql`-1`)})
        union all
        select n.customer_id from customers c cross join lateral (${customerAfter(sql`c.customer_id`)}) n
      ), waiting as (
        select w.* from customers c cross join lateral (
          ${some(sql`due_at <= ${now}`)} union all ${some(sql`due_at > ${now} and attempts > 0`)}) w
      ), oldest as (
        select distinct on (domain) domain, message_id, ordinal from waiting
        where attempts > 0 order by domain, message_id, ordinal
      ), counted as (
        select domain, count(*)::int as waiting, min(due_at) filter (where attempts = 0) as untried
        from waiting group by domain
      )
      select c.domain, c.waiting, least(c.untried, ${firstTriedAt(sql`o`)}) as since
      from counted c left join oldest o on o.domain = c.domain`,
  );
}

/** Mail that stands aside for servers that are full, by domain: the first of each customer's is the oldest of theirs. */
export function readParkedMail(workerDb: Database, now: Date, mostCounted: number): Promise<WaitingMail[]> {
  const aside = sql`parked and ${youngAt(now)}`;
  const firstAfter = (place: RawBuilder<unknown>) => sql`
    select domain, customer_id, message_id, ordinal from message_recipients
    where ${aside} and (domain, customer_id) > ${place} order by domain, customer_id, message_id limit 1`;
  return readBriefly(
    workerDb,
    sql<WaitingMail>`
      with recursive oldest as (
        (${firstAfter(sql`('', -1)`)})
        union all
        select n.* from oldest o cross join lateral (${firstAfter(sql`(o.domain, o.customer_id)`)}) n
      )
      select o.domain, sum(w.waiting)::int as waiting, min(${firstTriedAt(sql`o`)}) as since
      from oldest o cross join lateral (
        select count(*) as waiting from (
          select from message_recipients where ${aside} and domain = o.domain and customer_id = o.customer_id
          limit (select greatest(1, ${mostCounted}::int / count(*)) from oldest)) counted
      ) w
      group by o.domain`,
  );
}

/** When a recipient was first tried or, where none was, the message was made. */
function firstTriedAt(recipient: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`coalesce((select a.started_at from delivery_attempts a
    where a.message_id = ${recipient}.message_id and a.ordinal = ${recipient}.ordinal and a.attempt = 1),
    ${madeAt(sql`${recipient}.message_id`)})`;
}

/** When a time-ordered id was made: its first 48 bits are milliseconds (RFC 9562 5.7). */
function madeAt(id: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`to_timestamp(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;
}

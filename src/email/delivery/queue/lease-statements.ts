import { TEMPORARY_FAILURE } from '../../events/names.ts';

/** How many customers get something in one turn, no more than there is something for, and how many are looked at for it. */
const CUSTOMERS_AT_ONCE = 'least(32, $3::int)';
const CUSTOMERS_LOOKED_AT = 512;

// $1 now, $2 the end of the lease, $3 how many at most, $4 the customer to go on after.
const WAITING = 'due_at is not null and message_id >= $5::uuid';
const ASIDE = 'parked and domain = $5::text';

/** Takes what is due: $5 is the first id that may wait, $6 the domains of servers that are full. */
export const LEASE_DUE = lease(
  `${customersWith({ some: WAITING, order: 'due_at', isWanted: 'due_at <= $1' })}, found as (
    select d.* from customers c cross join lateral (
      select customer_id, message_id, ordinal, domain from message_recipients
      where customer_id = c.customer_id and ${WAITING} and due_at <= $1 and state = 'queued'
      order by due_at limit (select most from share) for update skip locked) d
    limit $3::int
  ), parked as (
    update message_recipients r set due_at = null, parked = true from found f
    where f.domain = any($6::text[]) and r.message_id = f.message_id and r.ordinal = f.ordinal
    returning 1
  ), due as (select * from found where domain <> all($6::text[]))`,
  '(select count(*)::int from parked)',
);

/** Takes what stands aside for the domain $5. */
export const LEASE_PARKED = lease(
  `${customersWith({ some: ASIDE, order: 'message_id', isWanted: 'true' })}, found as (
    select d.* from customers c cross join lateral (
      select customer_id, message_id, ordinal from message_recipients
      where ${ASIDE} and customer_id = c.customer_id and state = 'queued'
      order by message_id limit (select most from share) for update skip locked) d
    limit $3::int
  ), due as (select * from found)`,
  '0',
);

/** Rows of a kind, by what an index orders those of a customer, and whether the first of them is wanted now. */
interface Wanted {
  some: string;
  order: string;
  isWanted: string;
}

/** The next customers who have some rows, found one by one in the index until enough of them have wanted ones. */
function customersWith({ some, order, isWanted }: Wanted): string {
  const firstAfter = (customer: string) =>
    `select customer_id, (${isWanted})::int as wanted from message_recipients where ${some} and customer_id > ${customer}
      order by customer_id, ${order} limit 1`;
  return `
    recursive everybody (customer_id, wanted, place, enough) as (
      (select customer_id, wanted, 1, wanted from (${firstAfter('$4::int')}) first)
      union all
      select n.customer_id, n.wanted, e.place + 1, e.enough + n.wanted
      from everybody e cross join lateral (${firstAfter('e.customer_id')}) n
      where e.place < ${CUSTOMERS_LOOKED_AT} and e.enough < ${CUSTOMERS_AT_ONCE}
    ), customers as (
      select customer_id from everybody where wanted = 1
    ), share as (
      select greatest(1, $3::int / greatest(1, count(*)))::int as most from customers
    ), looked as (
      select case when max(place) = ${CUSTOMERS_LOOKED_AT} or max(enough) = ${CUSTOMERS_AT_ONCE} then max(customer_id)
        else 0 end as next from everybody
    )`;
}

/**
 * Leases what is due. One row at least, so that what was counted beside comes back even where nobody is leased. Where a
 * process ended in the middle of an attempt, nobody knows whether the message has arrived, and that is told.
 */
function lease(due: string, parked: string): string {
  return `
    with ${due}, leased as (
      update message_recipients r set due_at = $2, attempts = r.attempts + 1, parked = false
      from due where r.message_id = due.message_id and r.ordinal = due.ordinal
      returning r.message_id, r.ordinal, r.customer_id, r.domain, r.attempts
    ), unfinished as (
      update delivery_attempts a set outcome = 'uncertain', finished_at = $1
      from leased l where l.attempts > 1 and a.message_id = l.message_id and a.ordinal = l.ordinal
        and a.attempt = l.attempts - 1 and a.outcome is null
      returning a.message_id, a.ordinal, a.customer_id
    ), begun as (
      insert into delivery_attempts (message_id, ordinal, attempt, customer_id, started_at)
      select message_id, ordinal, attempts, customer_id, $1 from leased
    ), lost as (
      select *, row_number() over (order by message_id, ordinal) as position from unfinished
    ), told as (
      select count(*)::int as expired, case when count(*) > 0 then record_events(json_agg(json_build_object(
        'position', position, 'customer_id', customer_id, 'message_id', message_id, 'ordinal', ordinal,
        'name', '${TEMPORARY_FAILURE}', 'at', $1::timestamptz, 'uncertain', true)), $1)::text end as events from lost
    ), listed as (
      select json_build_object('message_id', l.message_id, 'ordinal', l.ordinal, 'customer_id', l.customer_id,
        'domain', l.domain, 'attempts', l.attempts, 'first', before.first, 'no_tls', before.no_tls) as lease
      from leased l left join lateral (
        select min(a.started_at) as first,
          min(a.started_at) filter (where a.tls_version is null and a.tls_reason is not null
            and a.started_at > coalesce(met.tls, '-infinity')) as no_tls
        from delivery_attempts a cross join lateral (
          select max(b.started_at) as tls from delivery_attempts b
          where b.message_id = l.message_id and b.ordinal = l.ordinal and b.tls_version is not null
        ) met
        where l.attempts > 1 and a.message_id = l.message_id and a.ordinal = l.ordinal
      ) before on true
      order by l.message_id, l.ordinal
    )
    select listed.lease, looked.next, ${parked} as parked, told.expired, told.events,
      exists (select from found group by customer_id having count(*) >= (select most from share)) as more
    from looked cross join told left join listed on true`;
}

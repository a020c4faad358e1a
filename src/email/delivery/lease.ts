import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { TEMPORARY_FAILURE } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import '../tables.ts';

export const LEASE_MS = 60_000;
/** How many customers get something in one turn, and how many are looked at for it. */
const CUSTOMERS_AT_ONCE = 32;
const CUSTOMERS_LOOKED_AT = 512;
/** What waits is younger than this: thirty days ahead and five of trying. Older partitions are not looked at. */
const OLDEST_MS = 40 * 24 * 3600_000;

/** A recipient that is this process's to deliver until the lease ends. */
export interface Lease {
  message_id: string;
  ordinal: number;
  customer_id: number;
  domain: string;
  attempts: number;
  started_at: Date;
  first_tried_at: Date;
  /** Since when its servers have had no TLS, if this attempt finds the same. */
  no_tls_since: Date;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
}

/**
 * What was taken, and the customer to go on after, so that everybody has their turn; 0 begins anew, with the mail of the
 * installation itself, which is customer 0.
 */
export interface Taken {
  leases: Lease[];
  next: number;
  /** How many of them were under way before, with nobody to say how that ended. */
  expired: number;
}

/**
 * Takes recipients that are due, some of each customer's, and puts those for full servers aside. The attempt is written
 * before the dialogue begins, so that a crash in the middle of it leaves a trace; a lease that nobody settles falls due
 * again by itself, and what became of its attempt is then uncertain.
 */
export async function leaseDue(
  deps: Deps,
  { most, full, after }: { most: number; full: string[]; after: number },
): Promise<Taken & { parked: number }> {
  const now = deps.clock.now();
  const waiting = sql`due_at is not null and message_id >= ${firstIdAt(new Date(now.getTime() - OLDEST_MS))}::uuid`;
  const due = sql`
    ${customersWith({ some: waiting, wanted: sql`${waiting} and due_at <= ${now}`, order: sql`due_at` }, after)}, found as (
      select d.* from customers c cross join lateral (
        select message_id, ordinal, domain from message_recipients
        where customer_id = c.customer_id and ${waiting} and due_at <= ${now} and state = 'queued'
        order by due_at limit (select greatest(1, ${most}::int / count(*)) from customers) for update skip locked) d
      limit ${most}
    ), parked as (
      update message_recipients r set due_at = null, parked = true from found f
      where f.domain = any(${full}::text[]) and r.message_id = f.message_id and r.ordinal = f.ordinal
      returning 1
    ), due as (select * from found where domain <> all(${full}::text[]))`;
  return lease(deps, { name: 'lease-due', due, now }, sql`(select count(*)::int from parked) as parked`);
}

/** Takes recipients of a domain that stand aside, some of each customer's. */
export async function leaseParked(
  deps: Deps,
  { domain, most, after }: { domain: string; most: number; after: number },
): Promise<Taken> {
  const now = deps.clock.now();
  const aside = sql`parked and domain = ${domain}`;
  const due = sql`
    ${customersWith({ some: aside, wanted: aside, order: sql`message_id` }, after)}, due as (
      select d.* from customers c cross join lateral (
        select message_id, ordinal from message_recipients
        where ${aside} and customer_id = c.customer_id and state = 'queued'
        order by message_id limit (select greatest(1, ${most}::int / count(*)) from customers)
        for update skip locked) d
      limit ${most}
    )`;
  return lease(deps, { name: 'lease-parked', due, now }, sql`0 as parked`);
}

/** Rows of a kind, and among them those that are wanted, in the order of the index that holds them. */
interface Wanted {
  some: RawBuilder<unknown>;
  wanted: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** The next customers who have some rows, found one by one in the index, and of them those who have wanted ones. */
function customersWith({ some, wanted, order }: Wanted, after: number): RawBuilder<unknown> {
  const nextAfter = (customer: RawBuilder<unknown>) =>
    sql`select customer_id from message_recipients where ${some} and customer_id > ${customer}
      order by customer_id limit 1`;
  return sql`
    recursive everybody (customer_id, place) as (
      (select customer_id, 1 from (${nextAfter(sql`${after === 0 ? -1 : after}::int`)}) first)
      union all
      select (${nextAfter(sql`e.customer_id`)}), e.place + 1 from everybody e
      where e.customer_id is not null and e.place < ${CUSTOMERS_LOOKED_AT}
    ), customers as (
      select e.customer_id from everybody e where (
        select customer_id from message_recipients where customer_id = e.customer_id and ${wanted}
        order by ${order} limit 1) is not null
      limit ${CUSTOMERS_AT_ONCE}
    ), looked as (
      select case when (select count(*) from customers) = ${CUSTOMERS_AT_ONCE} then (select max(customer_id) from customers)
        when count(*) = ${CUSTOMERS_LOOKED_AT} then coalesce(max(customer_id), 0) else 0 end as next from everybody
    )`;
}

interface Row {
  lease:
    | (Omit<Lease, 'started_at' | 'first_tried_at' | 'no_tls_since'> & {
        first: string | null;
        no_tls: string | null;
        uncertain: boolean;
      })
    | null;
  next: number;
  parked: number;
}

/** One row at least, so that what was counted beside comes back even where nobody is leased. */
async function lease(
  { db, clock }: Deps,
  { name, due, now }: { name: 'lease-due' | 'lease-parked'; due: RawBuilder<unknown>; now: Date },
  beside: RawBuilder<unknown>,
): Promise<Taken & { parked: number }> {
  const until = new Date(now.getTime() + LEASE_MS);
  return db.untenanted(async (tx) => {
    const { rows } = await sql<Row>`
      ${preparedAs(name)} with ${due}, leased as (
        update message_recipients r set due_at = ${until}, attempts = r.attempts + 1, parked = false
        from due where r.message_id = due.message_id and r.ordinal = due.ordinal
        returning r.message_id, r.ordinal, r.customer_id, r.domain, r.attempts
      ), unfinished as (
        update delivery_attempts a set outcome = 'uncertain', finished_at = ${now}
        from leased l where l.attempts > 1 and a.message_id = l.message_id and a.ordinal = l.ordinal
          and a.attempt = l.attempts - 1 and a.outcome is null
        returning a.message_id, a.ordinal
      ), begun as (
        insert into delivery_attempts (message_id, ordinal, attempt, customer_id, started_at)
        select message_id, ordinal, attempts, customer_id, ${now} from leased
      ), listed as (
        select json_build_object('message_id', l.message_id, 'ordinal', l.ordinal, 'customer_id', l.customer_id,
          'domain', l.domain, 'attempts', l.attempts, 'uncertain', u.message_id is not null,
          'first', before.first, 'no_tls', before.no_tls) as lease
        from leased l left join lateral (
          select min(a.started_at) as first,
            min(a.started_at) filter (where a.tls_version is null and a.tls_reason is not null) as no_tls
          from delivery_attempts a where l.attempts > 1 and a.message_id = l.message_id and a.ordinal = l.ordinal
        ) before on true left join unfinished u on u.message_id = l.message_id and u.ordinal = l.ordinal
        order by l.message_id, l.ordinal
      )
      select listed.lease, looked.next, ${beside} from looked left join listed on true`.execute(tx);
    await tellUncertain(tx, { clock, now }, rows);
    const [first] = rows as [Row, ...Row[]];
    const expired = rows.filter((row) => row.lease?.uncertain === true).length;
    return { leases: leasesOf(rows, now), next: first.next, parked: first.parked, expired };
  });
}

function leasesOf(rows: Row[], now: Date): Lease[] {
  const since = (text: string | null) => (text === null ? now : new Date(text));
  return rows.flatMap(({ lease: found }) => {
    if (found === null) return [];
    const { first, no_tls: noTls, ...rest } = found;
    return [{ ...rest, started_at: now, first_tried_at: since(first), no_tls_since: since(noTls) }];
  });
}

/** Where a process ended in the middle of an attempt, nobody knows whether the message has arrived. */
async function tellUncertain(tx: Tx, { clock, now }: { clock: Clock; now: Date }, rows: Row[]): Promise<void> {
  const lost = rows.flatMap(({ lease: found }) => (found?.uncertain === true ? [found] : []));
  const events = lost.map((found) => ({
    customerId: found.customer_id,
    messageId: found.message_id,
    ordinal: found.ordinal,
    name: TEMPORARY_FAILURE,
    at: now,
    uncertain: true,
  }));
  await recordEvents(tx, clock, events);
}

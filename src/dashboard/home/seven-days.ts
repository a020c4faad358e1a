import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';

const DAY_MS = 24 * 3600_000;
const DAYS = 7;

/** What happened on each of the last seven days in UTC, the oldest first and today last. */
export interface SevenDays {
  days: string[];
  messages: number[];
  delivered: number[];
  bounced: number[];
  submissions: number[];
  subscribers: number[];
  dripMails: number[];
}

/** Counts of a customer's last seven days. Ids begin with their time, so that each day is a range of an index. */
export async function readSevenDays(tx: Tx, clock: Clock, customerId: number): Promise<SevenDays> {
  const days = lastDays(clock.now(), DAYS);
  const mails = await perDay<{ messages: number; delivered: number; bounced: number }>(
    tx,
    days,
    sql`select count(r.message_id) filter (where r.state <> 'cancelled')::int as messages,
        count(*) filter (where r.state = 'delivered')::int as delivered,
        count(*) filter (where r.state = 'bounced')::int as bounced
      from messages m join message_recipients r on r.message_id = m.id and r.customer_id = m.customer_id
      where m.customer_id = ${customerId} and m.id >= day.first and m.id < day.next`,
  );
  const submissions = await countPerDay(tx, days, 'submissions', customerId);
  const subscribers = await countPerDay(tx, days, 'subscribers', customerId);
  const drips = await perDay<{ n: number }>(
    tx,
    days,
    sql`select count(*)::int as n from mailing_recipients r
      where r.customer_id = ${customerId} and r.id >= day.first and r.id < day.next
        and r.state not in ('excluded', 'suppressed', 'cancelled') and r.send_id in (select s.id from campaign_mailing_sends s
          where s.customer_id = ${customerId} and s.drip_id is not null)`,
  );
  return {
    days: days.map(dayOf),
    messages: mails.map(({ messages }) => messages),
    delivered: mails.map(({ delivered }) => delivered),
    bounced: mails.map(({ bounced }) => bounced),
    submissions,
    subscribers,
    dripMails: drips.map(({ n }) => n),
  };
}

/** How many mails ended well and how many came back, in the seven days and in those before. */
export interface BounceShares {
  now: { settled: number; bounced: number };
  before: { settled: number; bounced: number };
}

/** The mails that ended in the last seven days, and in the seven before. */
export async function readBounceShares(tx: Tx, clock: Clock, customerId: number): Promise<BounceShares> {
  const now = clock.now().getTime();
  const share = async (from: number, to: number) => {
    const { rows } = await sql<{ settled: number; bounced: number }>`
      select count(*)::int as settled, count(*) filter (where r.state = 'bounced')::int as bounced
      from messages m join message_recipients r on r.message_id = m.id and r.customer_id = m.customer_id
      where m.customer_id = ${customerId} and m.id >= ${firstIdAt(new Date(from))} and m.id < ${firstIdAt(new Date(to))}
        and r.state in ('delivered', 'bounced')`.execute(tx);
    return rows[0] ?? { settled: 0, bounced: 0 };
  };
  return {
    now: await share(now - DAYS * DAY_MS, now + DAY_MS),
    before: await share(now - 2 * DAYS * DAY_MS, now - DAYS * DAY_MS),
  };
}

function lastDays(now: Date, count: number): Date[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  return Array.from({ length: count }, (_, index) => new Date((today - count + 1 + index) * DAY_MS));
}

function dayOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** What a count gives for each day; it finds the ids of the day from `day.first` to before `day.next`. */
async function perDay<Row>(tx: Tx, days: Date[], count: RawBuilder<unknown>): Promise<Row[]> {
  const first = days.map(firstIdAt);
  const next = days.map((day) => firstIdAt(new Date(day.getTime() + DAY_MS)));
  const { rows } = await sql<Row>`
    select counted.* from unnest(${first}::uuid[], ${next}::uuid[]) with ordinality as day (first, next, number)
    cross join lateral (${count}) counted order by day.number`.execute(tx);
  return rows;
}

async function countPerDay(
  tx: Tx,
  days: Date[],
  table: 'submissions' | 'subscribers',
  customerId: number,
): Promise<number[]> {
  const counted = sql`select count(*)::int as n from ${sql.table(table)}
    where customer_id = ${customerId} and id >= day.first and id < day.next`;
  return (await perDay<{ n: number }>(tx, days, counted)).map(({ n }) => n);
}

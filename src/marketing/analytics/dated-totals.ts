import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { COUNT_NAMES, type Counts } from './counts.ts';
import type { Period } from './read-period.ts';
import { inScope, type Scope } from './scope.ts';
import '../tables.ts';

export type DayCounts = { date: string } & Counts;

type What = Exclude<keyof Counts, 'bounced'>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What happened within a period to the mails in scope. */
export async function readPeriodTotals(tx: Tx, scope: Scope, period: Period): Promise<Counts> {
  return add(await countByDay(tx, scope, period));
}

/** The same for each day from the first to the last on which anything happened. */
export async function readDailyTotals(tx: Tx, scope: Scope, period: Period): Promise<DayCounts[]> {
  const happened = Map.groupBy(await countByDay(tx, scope, period), ({ began }) => dateOf(began, period));
  const days = [...happened.keys()].toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  return daysBetween(first, last).map((date) => ({ date, ...add(happened.get(date) ?? []) }));
}

interface Happened {
  /** The moment at which the day began on which it happened. */
  began: Date;
  what: What;
  times: number;
}

async function countByDay(tx: Tx, scope: Scope, { start, end, offset }: Period): Promise<Happened[]> {
  const within = (at: RawBuilder<unknown>) => sql`${at} is not null
    and (${start}::timestamptz is null or ${at} >= ${start}) and (${end}::timestamptz is null or ${at} < ${end})`;
  const mails = (row: RawBuilder<unknown>) => sql`${row}.customer_id = ${scope.customerId}
    and ${row}.send_id = any(array(select s.id from campaign_mailing_sends s
      where ${inScope(scope)} and (${end}::timestamptz is null or s.created_at < ${end})))`;
  const reactions = (at: RawBuilder<unknown>, what: RawBuilder<unknown>) => sql`
    select ${at}, ${what} from mailing_engagement e where ${mails(sql`e`)} and ${within(at)}`;
  const aMidnight = new Date(-offset * MINUTE);
  // No time is kept for machines. They open a mail as it arrives, so they count on the day that it did.
  const { rows } = await sql<Happened>`
    select date_bin('1 day', h.at, ${aMidnight}::timestamptz) as began, h.what, count(*) as times
    from (
      select r.settled_at as at, case when r.state = 'bounced' then replace(r.rule, 'bounce', 'bounced') else r.state end as what
      from mailing_recipients r
      where ${mails(sql`r`)} and ${within(sql`r.settled_at`)} and r.state <> 'cancelled'
      union all ${reactions(sql`e.first_opened_at`, sql`'viewed'`)}
      union all ${reactions(sql`e.first_clicked_at`, sql`'clicked'`)}
      union all ${reactions(
        sql`e.unsubscribed_at`,
        sql`case when e.opted_out then 'global_unsubscribed' else 'unsubscribed' end`,
      )}
      union all
      select r.settled_at, 'machine_viewed' from mailing_engagement e
      join mailing_recipients r on r.customer_id = e.customer_id and r.id = e.id
      where ${mails(sql`e`)} and e.machine_opens > 0 and ${within(sql`r.settled_at`)}
    ) h group by 1, 2`.execute(tx);
  return rows;
}

function add(happened: readonly Happened[]): Counts {
  const counts = Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as Counts;
  for (const { what, times } of happened) counts[what] += times;
  counts.bounced = counts.soft_bounced + counts.hard_bounced;
  counts.sent += counts.delivered + counts.bounced;
  return counts;
}

function dateOf(began: Date, { offset }: Period): string {
  return new Date(began.getTime() + offset * MINUTE).toISOString().slice(0, 10);
}

function daysBetween(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return Array.from({ length: (to - from) / DAY + 1 }, (_, at) => new Date(from + at * DAY).toISOString().slice(0, 10));
}

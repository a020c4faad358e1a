import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { BEFORE_ALL_IDS } from '../../../platform/ids.ts';
import { type Drip, selectDrips, type TriggerSettings } from '../campaigns/drip.ts';
import { datesDueOn } from '../timing/due-dates.ts';
import { nextInAnyZone, occasionsBetween, type ZonedDay } from '../timing/zoned-days.ts';
import { orNothing, type Witness } from './or-nothing.ts';
import '../../tables.ts';

const PAGE = 20_000;
/** Before the first of all ids. */

type DateSettings = NonNullable<TriggerSettings['date']>;

interface Deps extends Witness {
  db: Database;
  clock: Clock;
}

/** The people of a zone who come after one of them. */
interface Place {
  zone: string | null;
  after: string;
}

interface Page {
  entered: number;
  /** After whom the next page begins; null where this was the last. */
  last: string | null;
}

/** Lets people enter whose date has come since it was last looked at, wherever their clocks stand; answers how many. */
export async function lookAtDates(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  let entered = 0;
  for (const drip of await datedDrips(db)) {
    if (nextLook(drip) > clock.now()) continue;
    entered += await orNothing(deps, { dripId: drip.id }, () => look(deps, drip));
  }
  return entered;
}

/** When a date may come for somebody next. */
export async function nextLookAtDates({ db }: Deps): Promise<Date | null> {
  const looks = (await datedDrips(db)).map((drip) => nextLook(drip).getTime());
  return looks.length === 0 ? null : new Date(Math.min(...looks));
}

async function datedDrips(db: Database): Promise<Drip[]> {
  return db.untenanted((tx) =>
    selectDrips(tx).where('state', '=', 'running').where('start_trigger', '=', 'date_field').execute(),
  );
}

function nextLook(drip: Drip): Date {
  return nextInAnyZone(settingsOf(drip).time, drip.dates_seen_at as Date);
}

/**
 * Looks through the people of each zone in which the time has come, page by page, each in a transaction of its own, so
 * that a million hold up nobody. Only when all were looked at is that noted: a look that is cut off is taken again from
 * its beginning, and whoever entered by it does not enter again, as it is the same occasion.
 */
async function look({ db, clock }: Deps, drip: Drip): Promise<number> {
  const inTurn = <T>(work: (tx: Tx) => Promise<T>) => db.tenant([drip.customer_id], work);
  const now = clock.now();
  const zones = { zones: await inTurn((tx) => zonesOf(tx, drip)), fallback: drip.time_zone };
  const days = occasionsBetween(settingsOf(drip).time, zones, drip.dates_seen_at as Date, now);
  let entered = 0;
  for (const [zone, together] of Map.groupBy(days, (zoned) => zoned.zone)) {
    let after: string | null = BEFORE_ALL_IDS;
    while (after !== null) {
      const people: Place = { zone, after };
      const page: Page | null = await inTurn((tx) => enterPage(tx, drip, people, together));
      if (page === null) return entered;
      entered += page.entered;
      after = page.last;
    }
  }
  await inTurn((tx) => noteLook(tx, drip, now));
  return entered;
}

/** The zones that people of a customer live in, null for those of whom none is known. Asks the index zone by zone. */
async function zonesOf(tx: Tx, { customer_id: customerId }: Drip): Promise<(string | null)[]> {
  const { rows } = await sql<{ time_zone: string }>`
    with recursive zones as (
      (select time_zone from subscribers where customer_id = ${customerId} and time_zone is not null
        order by time_zone limit 1)
      union all
      select (select s.time_zone from subscribers s where s.customer_id = ${customerId} and s.time_zone > z.time_zone
        order by s.time_zone limit 1)
      from zones z where z.time_zone is not null)
    select time_zone from zones where time_zone is not null`.execute(tx);
  return [null, ...rows.map((row) => row.time_zone)];
}

/** Lets those enter who are due on one of the days, of the next people of a zone; null where the look is not ours. */
async function enterPage(tx: Tx, drip: Drip, { zone, after }: Place, days: ZonedDay[]): Promise<Page | null> {
  if (!(await isOurs(tx, drip))) return null;
  const { customer_id: customerId, subscription_list_id: listId } = drip;
  const settings = settingsOf(drip);
  const due = days.flatMap(({ day, at }) => datesDueOn(day, settings).map((dates) => ({ ...dates, day, at })));
  // Most dates are other ones, as their text tells; only the rest are read as dates, of which some are none.
  const key = settings.every === 'once' ? sql`left(p.date, 10)` : sql`substr(p.date, 6, 5)`;
  const { rows } = await sql<Page>`
    with page as materialized (
      select s.id, case when s.time_zone is not distinct from ${zone} then ${dateOf(settings)} end as date
      from subscribers s
      where s.customer_id = ${customerId} and ${zone === null ? sql`true` : sql`s.time_zone = ${zone}`} and s.id > ${after}
      order by s.id limit ${PAGE}
    ), entered as (
      insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, occasion, at)
      select ${customerId}, ${drip.id}, 'enter', '', p.id, d.day, d.at from page p
      join json_to_recordset(${JSON.stringify(due)}::json) as d (key text, last date, day date, at timestamptz)
        on d.key = ${key} and date_in(p.date) <= d.last
      cross join lateral (select from subscriptions c where c.customer_id = ${customerId}
        and c.subscription_list_id = ${listId} and c.subscriber_id = p.id and c.active offset 0) c
      cross join lateral (select where not exists (select from drip_enrolments e where e.customer_id = ${customerId}
        and e.drip_id = ${drip.id} and e.subscriber_id = p.id and e.occasion = d.day) offset 0) e
      returning id
    )
    select (select count(*) from entered) as entered, (select id from page order by id offset ${PAGE - 1}) as last`.execute(
    tx,
  );
  return rows[0] as Page;
}

/** Whether nobody else is at the same look, and it was not ended meanwhile. What came before a pause is looked at to its end. */
async function isOurs(tx: Tx, { id, customer_id: customerId, dates_seen_at: seen }: Drip): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('carepost drip dates'), ${id}::int) as ours from drip_campaigns
    where customer_id = ${customerId} and id = ${id} and dates_seen_at = ${seen} and state in ('running', 'paused')`.execute(
    tx,
  );
  return rows[0]?.ours === true;
}

async function noteLook(tx: Tx, { id, customer_id: customerId, dates_seen_at: seen }: Drip, now: Date): Promise<void> {
  await tx
    .updateTable('drip_campaigns')
    .set({ dates_seen_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('dates_seen_at', '=', seen as Date)
    .execute();
}

/** The date that is kept of `s`, as text. */
function dateOf({ number }: DateSettings): RawBuilder<string> {
  if (number === null) return sql`to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD')`;
  return sql`s.fields->>${String(number)}::text`;
}

function settingsOf({ trigger_settings: { date } }: Drip): DateSettings {
  return date as DateSettings;
}

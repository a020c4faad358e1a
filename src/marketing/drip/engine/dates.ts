import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { type Drip, selectDrips, type TriggerSettings } from '../campaigns/drip.ts';
import { occasionsBetween, type ZonedDay } from '../timing/zoned-days.ts';
import { orNothing } from './or-nothing.ts';
import '../../tables.ts';

const MINUTE = 60_000;
/** Clocks of all zones show the same minute of a quarter of an hour. */
const QUARTER = 15 * MINUTE;

type DateSettings = NonNullable<TriggerSettings['date']>;

interface Deps {
  db: Database;
  clock: Clock;
  log: Log;
}

/** Lets people enter whose date has come since it was last looked at, wherever their clocks stand; answers how many. */
export async function lookAtDates({ db, clock, log }: Deps): Promise<number> {
  let entered = 0;
  for (const drip of await datedDrips(db)) {
    if (nextLook(drip) > clock.now()) continue;
    entered += await orNothing(log, { dripId: drip.id }, () =>
      db.tenant([drip.customer_id], (tx) => look(tx, clock, drip)),
    );
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

function nextLook({ trigger_settings: { date }, dates_seen_at: seen }: Drip): Date {
  const minute = Number((date as DateSettings).time.slice(3)) * MINUTE;
  const after = (seen as Date).getTime() - minute;
  return new Date((Math.floor(after / QUARTER) + 1) * QUARTER + minute);
}

/** In one transaction with the moment up to which it was looked: nobody is entered twice, and no time left out. */
async function look(tx: Tx, clock: Clock, { id, customer_id: customerId }: Drip): Promise<number> {
  const drip = await selectDrips(tx)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  const now = clock.now();
  if (drip === undefined || (drip.dates_seen_at as Date) >= now) return 0;
  const date = drip.trigger_settings.date as DateSettings;
  const zones = await zonesOf(tx, drip);
  const days = occasionsBetween(date.time, { zones, fallback: drip.time_zone }, drip.dates_seen_at as Date, now);
  let entered = 0;
  for (const [day, together] of Map.groupBy(days, (zoned) => zoned.day)) {
    entered += await enterThoseOf(tx, drip, day, together);
  }
  await tx
    .updateTable('drip_campaigns')
    .set({ dates_seen_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute();
  return entered;
}

/** The zones that people of a customer live in, null for those of whom none is known. */
async function zonesOf(tx: Tx, { customer_id: customerId }: Drip): Promise<(string | null)[]> {
  const { rows } = await sql<{ time_zone: string }>`
    select distinct time_zone from subscribers
    where customer_id = ${customerId} and time_zone is not null`.execute(tx);
  return [null, ...rows.map((row) => row.time_zone)];
}

async function enterThoseOf(tx: Tx, drip: Drip, day: string, zones: ZonedDay[]): Promise<number> {
  const { customer_id: customerId, subscription_list_id: listId } = drip;
  const rows = zones.map(({ zone, at }) => ({ zone, at }));
  const { numAffectedRows } = await sql`
    insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, occasion, at)
    select ${customerId}, ${drip.id}, 'enter', '', s.id, ${day}::date, z.at
    from json_to_recordset(${JSON.stringify(rows)}::json) as z (zone text, at timestamptz)
    join subscribers s on s.customer_id = ${customerId} and s.time_zone is not distinct from z.zone
    join subscriptions c on c.customer_id = ${customerId} and c.subscription_list_id = ${listId}
      and c.subscriber_id = s.id and c.active
    where ${fallsOn(day, drip.trigger_settings.date as DateSettings)}`.execute(tx);
  return Number(numAffectedRows);
}

/** Whether the date of `s` makes them due on a day. Who was born on the 29th of February is not left out in other years. */
function fallsOn(day: string, { number, every, days }: DateSettings): RawBuilder<boolean> {
  const date =
    number === null ? sql`(s.created_at at time zone 'UTC')::date` : sql`date_in(s.fields->>${String(number)}::text)`;
  const meant = sql`(${day}::date - ${days}::int)`;
  if (every === 'once') return sql`${date} = ${meant}`;
  return sql`(to_char(${date}, 'MM-DD') = to_char(${meant}, 'MM-DD')
      or (to_char(${date}, 'MM-DD') = '02-29' and to_char(${meant}, 'MM-DD') = '02-28'
        and to_char(${meant} + 1, 'MM-DD') = '03-01'))
    and extract(year from ${date}) <= extract(year from ${meant})`;
}

import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { suffixesOf } from './domain-name.ts';
import { createMemory } from './memory.ts';
import '../tables.ts';

const FIRST_DAY = 500;
const DAYS = 10;
const DAY_MS = 24 * 3600_000;
const KEPT_MS = 60_000;

/** What a domain may send on one of its days, the first being 1; from the day after the last there is no limit. */
export function allowanceOn(day: number): number {
  return day > DAYS ? Number.POSITIVE_INFINITY : FIRST_DAY * 2 ** (day - 1);
}

export interface WarmUp {
  /** Takes up to so many messages out of what a domain may send today, and answers how many that were. */
  room(tx: Tx, customerId: number, fromDomain: string, wanted: number): Promise<number>;
  /** Gives back what was taken at a moment and not sent. */
  giveBack(tx: Tx, customerId: number, fromDomain: string, taken: { at: Date; count: number }): Promise<void>;
  /** Whether a domain may send what it likes; remembered for a while, as most are and stay so. */
  isOver(customerId: number, fromDomain: string): Promise<boolean>;
  /** When to try again what is too much for today: tomorrow, and not all of it at once. */
  tomorrow(): Date;
}

interface Deps {
  db: Database;
  clock: Clock;
  random(): number;
}

/**
 * Builds what lets a new domain send a little more each day: receivers take a flood from a name that they do not know
 * for spam. Days are those of UTC, counted from the first message.
 */
export function createWarmUp({ db, clock, random }: Deps): WarmUp {
  const over = createMemory<string, boolean>(clock, KEPT_MS);
  return {
    async room(tx, customerId, fromDomain, wanted) {
      const now = clock.now();
      const domain = await beginWarmUp(tx, customerId, fromDomain, now);
      if (domain === null) return wanted;
      const allowance = allowanceOn(dayOf(now) - dayOf(domain.first_sent_at) + 1);
      return Number.isFinite(allowance) ? take(tx, customerId, domain.domain, { now, wanted, allowance }) : wanted;
    },
    async giveBack(tx, customerId, fromDomain, { at, count }) {
      const row = await findWarming(tx, customerId, fromDomain);
      if (row === undefined) return;
      await sql`update sending_days set sent = greatest(0, sent - ${count})
        where customer_id = ${customerId} and domain = ${row.domain} and day = ${writtenDay(at)}::date`.execute(tx);
    },
    isOver: (customerId, fromDomain) =>
      over.of(`${customerId}/${fromDomain}`, async () => {
        const row = await db.tenant([customerId], (tx) => findWarming(tx, customerId, fromDomain));
        if (row === undefined || !row.warm_up) return true;
        return row.first_sent_at !== null && dayOf(clock.now()) - dayOf(row.first_sent_at) >= DAYS;
      }),
    tomorrow: () => new Date((dayOf(clock.now()) + 1 + random()) * DAY_MS),
  };
}

function findWarming(tx: Tx, customerId: number, fromDomain: string) {
  return tx
    .selectFrom('sending_domains')
    .select(['domain', 'warm_up', 'first_sent_at'])
    .where('customer_id', '=', customerId)
    .where('domain', 'in', suffixesOf(fromDomain))
    .orderBy(sql`length(domain)`, 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The domain that mail from this one counts for, where it is warming up; its first day may be today. */
async function beginWarmUp(tx: Tx, customerId: number, fromDomain: string, now: Date) {
  const row = await findWarming(tx, customerId, fromDomain);
  if (row === undefined || !row.warm_up) return null;
  if (row.first_sent_at !== null) return { domain: row.domain, first_sent_at: row.first_sent_at };
  await tx
    .updateTable('sending_domains')
    .set({ first_sent_at: now })
    .where('customer_id', '=', customerId)
    .where('domain', '=', row.domain)
    .where('first_sent_at', 'is', null)
    .execute();
  return { domain: row.domain, first_sent_at: now };
}

/** Counts what is taken; the row is held until the transaction ends, so that two nodes do not take the same. */
async function take(
  tx: Tx,
  customerId: number,
  domain: string,
  { now, wanted, allowance }: { now: Date; wanted: number; allowance: number },
): Promise<number> {
  const day = writtenDay(now);
  await sql`insert into sending_days (customer_id, domain, day, sent)
    values (${customerId}, ${domain}, ${day}::date, 0) on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ sent: number }>`
    select sent from sending_days
    where customer_id = ${customerId} and domain = ${domain} and day = ${day}::date for update`.execute(tx);
  const taken = Math.max(0, Math.min(wanted, allowance - (rows[0]?.sent ?? 0)));
  if (taken > 0) {
    await sql`update sending_days set sent = sent + ${taken}
      where customer_id = ${customerId} and domain = ${domain} and day = ${day}::date`.execute(tx);
  }
  return taken;
}

function writtenDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}

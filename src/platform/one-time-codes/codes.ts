import { randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tx } from '../db/database.ts';
import { timeOrderedId } from '../ids.ts';
import type { CustomerVault } from '../vault/vault.ts';
import { CODE_DIGITS, CODE_MINUTES, CODE_TRIES, CODES_A_DAY, CODES_AN_HOUR } from './rules.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What codes open, and where they are kept. Whoever counts at it holds its row until the transaction ends. */
export interface CodePlace {
  table: string;
  /** The column of the table that names what they open. */
  owner: string;
  /** What their fingerprints are for. */
  purpose: string;
  customerId: number;
  id: string;
}

interface Keeping {
  clock: Clock;
  keys: CustomerVault;
}

interface KeptCode {
  id: string;
  code_index: Buffer;
  tries: number;
  used_at: Date | null;
  created_at: Date;
}

/** A new code. */
export function newCode(random: (limit: number) => number = randomInt): string {
  return String(random(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** Keeps a code, which takes the place of any before; false where too many were sent already. */
export async function keepCode(tx: Tx, { clock, keys }: Keeping, place: CodePlace, code: string): Promise<boolean> {
  const now = clock.now().getTime();
  const lastDay = await sentSince(tx, place, new Date(now - DAY_MS));
  const lastHour = lastDay.filter((at) => at.getTime() > now - HOUR_MS);
  if (lastDay.length >= CODES_A_DAY || lastHour.length >= CODES_AN_HOUR) return false;
  await sql`insert into ${sql.table(place.table)} (id, customer_id, ${sql.ref(place.owner)}, code_index, created_at)
    values (${timeOrderedId(clock)}, ${place.customerId}, ${place.id}, ${indexOf(keys, place, code)}, ${clock.now()})`.execute(
    tx,
  );
  return true;
}

/** Whether a code waits to be entered. */
export async function awaitsCode(tx: Tx, clock: Clock, place: CodePlace): Promise<boolean> {
  return (await findCode(tx, clock, place)) !== null;
}

export type CodeVerdict = { right: true } | { right: false; triesLeft: number };

/** Judges a code by the last one that was sent. A right one is used up, a wrong one counts against it. */
export async function tryCode(
  tx: Tx,
  { clock, keys }: Keeping,
  place: CodePlace,
  code: string,
): Promise<CodeVerdict | null> {
  const found = await findCode(tx, clock, place);
  if (found === null) return null;
  const right = timingSafeEqual(found.code_index, indexOf(keys, place, code));
  const usedAt = right ? clock.now() : null;
  await sql`update ${sql.table(place.table)} set used_at = ${usedAt}, tries = tries + ${right ? 0 : 1}
    where customer_id = ${place.customerId} and id = ${found.id}`.execute(tx);
  return right ? { right } : { right, triesLeft: CODE_TRIES - found.tries - 1 };
}

async function sentSince(tx: Tx, { table, owner, customerId, id }: CodePlace, since: Date): Promise<Date[]> {
  const { rows } = await sql<{ created_at: Date }>`select created_at from ${sql.table(table)}
    where customer_id = ${customerId} and ${sql.ref(owner)} = ${id} and created_at > ${since}`.execute(tx);
  return rows.map((row) => row.created_at);
}

/** The last code that was sent, where it still opens anything. */
async function findCode(tx: Tx, clock: Clock, { table, owner, customerId, id }: CodePlace): Promise<KeptCode | null> {
  const { rows } = await sql<KeptCode>`select id, code_index, tries, used_at, created_at from ${sql.table(table)}
    where customer_id = ${customerId} and ${sql.ref(owner)} = ${id} order by created_at desc, id desc limit 1`.execute(
    tx,
  );
  const [last] = rows;
  if (last === undefined || last.used_at !== null || last.tries >= CODE_TRIES) return null;
  return last.created_at.getTime() + CODE_MINUTES * MINUTE_MS > clock.now().getTime() ? last : null;
}

/** A bare hash of eight digits could be tried out; this one needs the customer's key. */
function indexOf(keys: CustomerVault, { purpose, id }: CodePlace, code: string): Buffer {
  return keys.blindIndex(purpose, `${id}/${code}`);
}

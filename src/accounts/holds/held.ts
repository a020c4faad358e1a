import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import '../tables.ts';

const LOCK = sql`hashtext('carepost legal hold')`;

/** Begins to set a hold: whatever is being removed of the customer is gone before this goes on. */
export async function lockHolds(tx: Tx, customerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK}, ${customerId})`.execute(tx);
}

/** Begins to remove something: no hold is set on the customer until the transaction ends. */
export async function shareHolds(tx: Tx, customerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCK}, ${customerId})`.execute(tx);
}

/** Whether nothing keeps a row that is one of these objects (uuid[]) or is about one of these people (bytea[]). */
export function notHeld(
  customerId: number,
  objects: RawBuilder<unknown>,
  people: RawBuilder<unknown> = sql`null`,
): RawBuilder<boolean> {
  return sql<boolean>`not is_held(${customerId}, ${objects}, ${people})`;
}

/** What somebody is about to remove. */
interface Leaving {
  objects?: readonly string[];
  people?: readonly Buffer[];
}

/** Throws where a legal hold keeps something; none is set before the transaction ends. */
export async function requireNotHeld(
  tx: Tx,
  customerId: number,
  { objects = [], people = [] }: Leaving = {},
): Promise<void> {
  await shareHolds(tx, customerId);
  const indexes = people.map((index) => `\\x${index.toString('hex')}`);
  const { rows } = await sql<{ held: boolean }>`
    select is_held(${customerId}, ${[...objects]}::uuid[], ${indexes}::text[]::bytea[]) as held`.execute(tx);
  if (rows[0]?.held === true) throw heldRefusal();
}

/** Throws where a customer has any legal hold: for what cannot be told apart by person or object. */
export async function requireNothingHeld(tx: Tx, customerId: number): Promise<void> {
  await shareHolds(tx, customerId);
  if (await hasHolds(tx, customerId)) throw heldRefusal();
}

/** Whether any legal hold stands for a customer. */
export async function hasHolds(tx: Tx, customerId: number): Promise<boolean> {
  return (await selectStanding(tx, customerId).limit(1).executeTakeFirst()) !== undefined;
}

/** The legal holds of a customer that stand. */
export function selectStanding(tx: Tx, customerId: number) {
  return tx
    .selectFrom('legal_holds')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('released_at', 'is', null);
}

/** What whoever removes something that is held hears. */
export function heldRefusal(): AppError {
  return new AppError('conflict', 'A legal hold keeps this: it can be removed once the hold is released');
}

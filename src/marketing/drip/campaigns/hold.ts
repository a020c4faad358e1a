import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

// Locks of their own rather than those of the row: who shares a row's lock overtakes whoever waits to change it, so that a
// drip with a crowd in it could not be paused. These are given in the order in which they are asked for.
const DRIPS = sql`hashtext('carepost drips')`;

/** Holds drips as they are until the transaction ends, together with others who do so. */
export async function holdTogether(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const id of [...new Set(ids)].toSorted((one, other) => one - other)) {
    await sql`select pg_advisory_xact_lock_shared(${DRIPS}, ${id}::int)`.execute(tx);
  }
}

/** Holds a drip until the transaction ends for whoever changes it: nobody advances, enters or changes it meanwhile. */
export async function holdAlone(tx: Tx, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DRIPS}, ${id}::int)`.execute(tx);
}

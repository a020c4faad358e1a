import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

const NAME = 'carepost audit sealer';

/** True for the one node whose turn it is to work on chains and checkpoints, until the transaction ends. */
export async function takeTurn(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext(${NAME})) as mine`.execute(
    tx,
  );
  return rows[0]?.mine === true;
}

/** The same for whoever cannot come again later. */
export async function awaitTurn(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${NAME}))`.execute(tx);
}

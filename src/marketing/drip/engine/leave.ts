import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Leaving } from './traveller.ts';
import { withdrawMails } from './withdraw-mails.ts';
import '../../tables.ts';

/** Lets people leave their drips; who has left or reached the end already stays as they are. */
export async function leave(
  tx: Tx,
  leaving: { customerId: number; ids: readonly string[]; reason: Leaving; at: Date },
): Promise<number> {
  const { customerId, ids, reason, at } = leaving;
  const { numAffectedRows } = await sql`
    update drip_enrolments set state = 'exited', reason = ${reason}, inside = false, woken = false, due_at = null,
      ended_at = ${at}
    where customer_id = ${customerId} and id = any(${ids}::uuid[]) and state = 'active'`.execute(tx);
  if (numAffectedRows !== undefined && numAffectedRows > 0n) await withdrawMails(tx, leaving);
  return Number(numAffectedRows);
}

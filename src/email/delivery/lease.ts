import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import '../tables.ts';

const LEASE_MS = 60_000;

/** A recipient that is this process's to deliver until the lease ends. */
export interface Lease {
  message_id: string;
  ordinal: number;
  customer_id: number;
  attempts: number;
}

/**
 * Takes recipients that are due. The attempt is written before the dialogue begins, so that a crash
 * in the middle of it leaves a trace; a lease that nobody settles falls due again by itself.
 */
export async function leaseDue({ db, clock }: { db: Database; clock: Clock }, most: number): Promise<Lease[]> {
  const now = clock.now();
  return db.untenanted(async (tx) => {
    const { rows } = await sql<Lease>`
      with due as (
        select message_id, ordinal from message_recipients where due_at <= ${now}
        order by due_at limit ${most} for update skip locked
      ), leased as (
        update message_recipients r set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = r.attempts + 1
        from due where r.message_id = due.message_id and r.ordinal = due.ordinal
        returning r.message_id, r.ordinal, r.customer_id, r.attempts
      ), begun as (
        insert into delivery_attempts (message_id, ordinal, attempt, customer_id, started_at)
        select message_id, ordinal, attempts, customer_id, ${now} from leased
      )
      select * from leased order by message_id, ordinal`.execute(tx);
    return rows;
  });
}

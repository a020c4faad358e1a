import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** A way through a drip that somebody takes or took. */
export interface TakenDrip {
  dripId: number;
  name: string;
  state: string;
  /** Why they left before the end. */
  reason: string | null;
  step: string;
  enteredAt: Date;
  endedAt: Date | null;
}

/** The latest drips that somebody is or was in, the newest first. */
export async function dripsOf(
  tx: Tx,
  { customerId, subscriberId }: { customerId: number; subscriberId: string },
  most: number,
): Promise<TakenDrip[]> {
  const { rows } = await sql<TakenDrip>`
    select d.id as "dripId", d.name, e.state, e.reason, e.step, e.entered_at as "enteredAt", e.ended_at as "endedAt"
    from drip_enrolments e join drip_campaigns d on d.customer_id = e.customer_id and d.id = e.drip_id
    where e.customer_id = ${customerId} and e.subscriber_id = ${subscriberId}
    order by e.id desc limit ${most}`.execute(tx);
  return rows;
}

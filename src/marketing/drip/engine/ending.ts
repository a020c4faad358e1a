import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { leave } from './leave.ts';
import { orNothing, type Witness } from './or-nothing.ts';
import '../../tables.ts';

const PAGE = 2_000;

interface Deps extends Witness {
  db: Database;
  clock: Clock;
}

/** Lets people go whose drip was completed, page by page; answers how many. */
export async function endDrips(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  const { rows: ending } = await db.untenanted((tx) =>
    sql<{ id: number; customer_id: number }>`select id, customer_id from drip_campaigns where ending limit 50`.execute(
      tx,
    ),
  );
  let done = 0;
  for (const { id, customer_id: customerId } of ending) {
    done += await orNothing(deps, { dripId: id }, () => endPage(db, clock, { id, customerId }));
  }
  return done;
}

function endPage(db: Database, clock: Clock, { id, customerId }: { id: number; customerId: number }): Promise<number> {
  return db.tenant([customerId], async (tx) => {
    const { rows } = await sql<{ id: string }>`
        select id from drip_enrolments where customer_id = ${customerId} and drip_id = ${id} and state = 'active'
        order by id limit ${PAGE} for update`.execute(tx);
    const ids = rows.map((row) => row.id);
    if (ids.length > 0) return leave(tx, { customerId, ids, reason: 'drip_completed', at: clock.now() });
    await sql`update drip_campaigns set ending = false where customer_id = ${customerId} and id = ${id}`.execute(tx);
    return 0;
  });
}

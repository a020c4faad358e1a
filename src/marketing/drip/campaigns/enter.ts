import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import '../tables.ts';

interface Entering {
  customerId: number;
  dripId: number;
  people: readonly string[];
}

/** Lets people enter a drip; one that does not run takes nobody. */
export async function enterDrip(tx: Tx, clock: Clock, { customerId, dripId, people }: Entering): Promise<void> {
  await sql`
    insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, at)
    select d.customer_id, d.id, 'enter', '', person, ${clock.now()}
    from drip_campaigns d cross join unnest(${people}::uuid[]) as person
    where d.customer_id = ${customerId} and d.id = ${dripId} and d.state = 'running'`.execute(tx);
  await sql`select pg_notify('carepost_drips', '')`.execute(tx);
}

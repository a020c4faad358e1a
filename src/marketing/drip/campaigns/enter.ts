import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { selectDrips } from './drip.ts';
import { holdTogether } from './hold.ts';
import '../tables.ts';

interface Which {
  customerId: number;
  dripId: number;
}

/** Whether a drip takes people now, once it goes on, or never again; it stays so until the transaction ends. */
export async function takesPeople(tx: Tx, { customerId, dripId }: Which): Promise<'now' | 'later' | 'never'> {
  await holdTogether(tx, [dripId]);
  const drip = await selectDrips(tx)
    .where('customer_id', '=', customerId)
    .where('id', '=', dripId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (drip?.state === 'paused') return 'later';
  return drip?.state === 'running' ? 'now' : 'never';
}

/** Lets people enter a drip that takes them. */
export async function enterDrip(
  tx: Tx,
  clock: Clock,
  { customerId, dripId, people }: Which & { people: readonly string[] },
): Promise<void> {
  await sql`
    insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, at)
    select ${customerId}, ${dripId}, 'enter', '', person, ${clock.now()}
    from unnest(${people}::uuid[]) as person`.execute(tx);
  await sql`select pg_notify('carepost_drips', '')`.execute(tx);
}

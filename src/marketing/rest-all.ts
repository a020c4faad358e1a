import { sql } from 'kysely';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import { pauseDrip } from './drip/campaigns/control.ts';
import { selectDrips } from './drip/campaigns/drip.ts';
import { holdAlone } from './drip/campaigns/hold.ts';
import { releaseFile } from './imports/release-file.ts';
import './tables.ts';

/** Lets all drips and sends of a customer rest, and ends imports and bulk jobs; what is on its way arrives. Answers how many. */
export async function restAll(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
): Promise<{ drips: number; sends: number; imports: number; jobs: number }> {
  const { customerId } = act;
  const running = () =>
    selectDrips(tx)
      .where('customer_id', '=', customerId)
      .where('state', '=', 'running')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
  for (const { id } of await running()) await holdAlone(tx, id);
  const drips = await running();
  for (const drip of drips) await pauseDrip(tx, { clock, act: { ...act, action: 'drip.paused' } }, drip);
  const { rows: sends } = await sql<{ id: number }>`
    update campaign_mailing_sends set state = 'paused', updated_at = ${clock.now()}
    where customer_id = ${customerId} and state in ('scheduled', 'preparing', 'sending') returning id`.execute(tx);
  const { rows: imports } = await sql<{ id: string }>`
    update imports set state = 'failed', failure = 'The account was closed', finished_at = ${clock.now()},
      updated_at = ${clock.now()}
    where customer_id = ${customerId} and state in ('waiting', 'running', 'undoing') returning id`.execute(tx);
  for (const { id } of imports) await releaseFile(tx, customerId, id);
  const { rows: jobs } = await sql<{ id: string }>`
    update bulk_jobs set state = 'failed', failures = greatest(total - done, 1), finished_at = ${clock.now()},
      updated_at = ${clock.now()}
    where customer_id = ${customerId} and state in ('waiting', 'running') returning id`.execute(tx);
  return { drips: drips.length, sends: sends.length, imports: imports.length, jobs: jobs.length };
}

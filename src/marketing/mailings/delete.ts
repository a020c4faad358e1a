import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { findMailing } from './mailing.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  act: Act;
  requireOwn: OwnershipCheck;
}

/** Takes mailings away, all or none; one that is being sent, or that a drip mails, stays until that is over. */
export async function deleteMailings(tx: Tx, { clock, act, requireOwn }: Deps, ids: readonly number[]): Promise<void> {
  for (const id of ids) await findMailing(tx, requireOwn, act.customerId, id, 'campaign_mailing_ids');
  if (ids.length === 0) return;
  const busy = await tx
    .selectFrom('campaign_mailing_sends')
    .select('id')
    .where('customer_id', '=', act.customerId)
    .where('mailing_id', 'in', ids)
    .where('state', 'not in', ['finished', 'cancelled'])
    .limit(1)
    .executeTakeFirst();
  if (busy !== undefined) throw new AppError('conflict', 'campaign_mailing_ids: a send of it is not over yet');
  if (await isInDrip(tx, act.customerId, ids)) {
    throw new AppError('conflict', 'campaign_mailing_ids: a drip campaign mails it');
  }
  await tx
    .updateTable('campaign_mailings')
    .set({ deleted_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('id', 'in', ids)
    .execute();
  await recordAct(tx, clock, act, { details: { mailings: ids.map(String) } });
}

/** Whether a drip that is not over mails one of these, or will. */
async function isInDrip(tx: Tx, customerId: number, ids: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select from drip_campaigns d join drip_versions v on v.customer_id = d.customer_id and v.drip_id = d.id
    where d.customer_id = ${customerId} and d.deleted_at is null and d.state <> 'completed'
      and (v.version = d.version or exists (select from campaign_mailing_sends s
        where s.customer_id = ${customerId} and s.drip_id = d.id and s.drip_version = v.version))
      and exists (select from jsonb_array_elements(v.graph -> 'nodes') step
        where step ->> 'type' = 'email' and (step ->> 'campaign_mailing_id')::bigint = any(${ids}::bigint[]))
    limit 1`.execute(tx);
  return rows.length > 0;
}

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

/** Takes mailings away, all or none; one that is being sent stays until that is over. */
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
  await tx
    .updateTable('campaign_mailings')
    .set({ deleted_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('id', 'in', ids)
    .execute();
  await recordAct(tx, clock, act, { details: { mailings: ids.map(String) } });
}

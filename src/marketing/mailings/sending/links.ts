import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { sealTarget } from '../../tracking/link-target.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

/** Keeps where the links of a send lead, before the first mail leaves. */
export async function keepTargets(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  { id, customer_id: customerId }: Send,
  targets: readonly string[],
): Promise<void> {
  if (targets.length === 0) return;
  const rows = targets.map((target, number) => ({
    customer_id: customerId,
    send_id: id,
    number,
    sealed: sealTarget(keys, { sendId: id, number }, target),
    created_at: clock.now(),
  }));
  await tx
    .insertInto('tracking_links')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { suppress } from '../../suppressions/suppress.ts';
import type { Settlement } from '../queue/settle.ts';
import { bounceKind } from './bounce-kind.ts';

type Bounced = Settlement & { address: string };

/** Whether a peer has said that there is no such mailbox, so that nothing goes there again. */
export function bouncedHard(settlement: Settlement): settlement is Bounced {
  const { outcome, address } = settlement;
  return address !== null && outcome.toRcpt === true && bounceKind(outcome.code, outcome.reply) === 'hard';
}

/** Lets addresses that bounced for good have nothing more, in the transaction that settles them. */
export async function suppressBounced(
  tx: Tx,
  { vault, clock }: { vault: Vault; clock: Clock },
  bounced: Bounced[],
): Promise<void> {
  for (const { lease, address } of bounced) {
    const { customer_id: customerId, message_id: messageId } = lease;
    const keys = await vault.of(customerId);
    await suppress(tx, keys, { customerId, address, reason: 'hard_bounce', messageId, at: clock.now() });
  }
}

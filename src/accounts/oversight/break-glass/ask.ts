import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { recordAct } from '../../audit/record.ts';
import { requireCustomer } from '../../customers.ts';
import { tellOfGrant } from './tell.ts';
import '../tables.ts';

/** How long emergency access lasts at most. */
export const MOST_MINUTES = 240;

/** Asks for emergency access to one customer; nothing opens yet, and whom it concerns is told. */
export async function askForAccess(
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
  act: Act,
  { customerId, reason, minutes }: { customerId: number; reason: string; minutes: number },
  writeWith: (tx: Tx, id: string) => Promise<void> = async () => undefined,
): Promise<string> {
  await requireCustomer(db, customerId);
  const keys = await vault.of(customerId);
  const id = timeOrderedId(clock);
  await db.tenant([act.customerId, customerId], async (tx) => {
    await tx
      .insertInto('break_glass_grants')
      .values({
        id,
        customer_id: customerId,
        operator_id: act.actor.id,
        reason: keys.seal({ table: 'break_glass_grants', row: id, column: 'reason' }, reason),
        minutes,
        asked_at: clock.now(),
      })
      .execute();
    await recordAct(tx, clock, act, { target: id, details: { customer: customerId, minutes } });
    await recordAct(tx, clock, { ...act, customerId }, { target: id, details: { minutes } });
    await tellOfGrant(tx, { customerId, grantId: id, what: 'asked' });
    await writeWith(tx, id);
  });
  return id;
}

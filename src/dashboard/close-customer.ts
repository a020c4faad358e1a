import {
  endAgreementsIn,
  endPersonIn,
  holdCustomer,
  listTeam,
  lockTeam,
  revokeAllKeys,
  type TeamChange,
  updateCustomer,
} from '../accounts/index.ts';
import { restAll } from '../marketing/index.ts';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';

const DAY_MS = 24 * 3600_000;

/** What was stopped. */
export interface Closing {
  keys: number;
  people: number;
  drips: number;
  sends: number;
}

/**
 * Stops everything that a customer does: its keys end, everybody but whoever closes it is removed, drips and sends rest,
 * and the agreement is over, so that nothing new comes in: all of it or nothing. Nothing is deleted, and signing the
 * agreement again opens it.
 */
export async function closeCustomer(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  by: TeamChange,
): Promise<Closing> {
  const { customerId } = act;
  // An agreement is in force to the end of its last day, which is the one before.
  const yesterday = new Date(clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
  return db.tenant([customerId], async (tx) => {
    await holdCustomer(tx, customerId);
    const { userId } = await lockTeam(tx, customerId, by, 'owner');
    const others = (await listTeam(tx, customerId)).filter(({ id, state }) => id !== userId && state !== 'removed');
    for (const { id } of others) await endPersonIn(tx, clock, { ...act, action: 'user.removed' }, id);
    const keys = await revokeAllKeys(tx, clock, { ...act, action: 'key.revoked' });
    const rested = await restAll(tx, { clock, act });
    await endAgreementsIn(tx, clock, { ...act, action: 'agreement.ended' }, yesterday);
    await updateCustomer(tx, clock, act, { closed_at: clock.now() });
    return { keys, people: others.length, ...rested };
  });
}

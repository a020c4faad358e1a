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
import { stopAllMail } from '../email/index.ts';
import { stopAllExports } from '../forms/index.ts';
import { restAll } from '../marketing/index.ts';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';

const DAY_MS = 24 * 3600_000;

/** What was stopped. */
export interface Closing {
  keys: number;
  people: number;
  drips: number;
  sends: number;
  imports: number;
  /** Bulk jobs and exports. */
  jobs: number;
  scheduled: number;
  webhooks: number;
}

/**
 * Stops everything that a customer does: its keys end, everybody but whoever closes it is removed, drips and sends rest,
 * imports, exports, webhooks and messages that wait for their time end, and the agreement is over, so that nothing new
 * comes in: all of it or nothing. Nothing is deleted, and signing the agreement again opens it.
 */
export async function closeCustomer(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  by: TeamChange,
): Promise<Closing> {
  const { customerId } = act;
  return db.tenant([customerId], async (tx) => {
    await holdCustomer(tx, customerId);
    const { userId } = await lockTeam(tx, customerId, by, 'owner');
    return closeCustomerIn(tx, clock, act, userId);
  });
}

/** The same in a transaction of whoever may do so, who keeps one person at most. */
export async function closeCustomerIn(tx: Tx, clock: Clock, act: Act, staying: string | null): Promise<Closing> {
  const { customerId } = act;
  // An agreement is in force to the end of its last day, which is the one before.
  const yesterday = new Date(clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
  await holdCustomer(tx, customerId);
  const others = (await listTeam(tx, customerId)).filter(({ id, state }) => id !== staying && state !== 'removed');
  for (const { id } of others) await endPersonIn(tx, clock, { ...act, action: 'user.removed' }, id);
  const keys = await revokeAllKeys(tx, clock, { ...act, action: 'key.revoked' });
  const { jobs, ...rested } = await restAll(tx, { clock, act });
  const exports = await stopAllExports(tx, clock, customerId);
  const stopped = await stopAllMail(tx, clock, customerId);
  await endAgreementsIn(tx, clock, { ...act, action: 'agreement.ended' }, yesterday);
  await updateCustomer(tx, clock, act, { closed_at: clock.now() });
  return { keys, people: others.length, ...rested, jobs: jobs + exports, ...stopped };
}

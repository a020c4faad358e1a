import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { revokeKeysOf } from './api-keys.ts';
import { recordAct } from './audit/record.ts';
import { removePasskeys } from './factors/passkeys.ts';
import { removeRecoveryCodes } from './factors/recovery-codes.ts';
import { removeTotp } from './factors/totp.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { spendSetupLinks } from './setup-links.ts';
import './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

/**
 * Removes a person: no sign-in any more, all sessions over, every key that they made revoked, links in their mail
 * useless. Every node refuses them within five seconds.
 */
export async function endPerson({ db, clock }: Deps, act: Act, userId: string): Promise<void> {
  await db.tenant([act.customerId], (tx) => endPersonIn(tx, clock, act, userId));
}

/** The same in a transaction of whoever checks first that it may be done. */
export async function endPersonIn(tx: Tx, clock: Clock, act: Act, userId: string): Promise<void> {
  const who = { customerId: act.customerId, userId };
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ disabled_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'No such person');
  const sessions = await endSessions(tx, clock, who);
  const keys = await revokeKeysOf(tx, clock, who);
  await spendSetupLinks(tx, clock, who);
  await recordAct(tx, clock, act, { target: userId, details: { sessions, keys } });
}

/** Forgets everything that a person can show as a second factor, and ends their sessions; they enrol anew. */
export async function resetFactors({ db, clock }: Deps, act: Act, userId: string): Promise<void> {
  await db.tenant([act.customerId], (tx) => resetFactorsIn(tx, clock, act, userId));
}

/** The same in a transaction of whoever checks first that it may be done. */
export async function resetFactorsIn(tx: Tx, clock: Clock, act: Act, userId: string): Promise<void> {
  const who = { customerId: act.customerId, userId };
  await removeTotp(tx, who);
  await removePasskeys(tx, who);
  await removeRecoveryCodes(tx, who);
  const sessions = await endSessions(tx, clock, who);
  await recordAct(tx, clock, act, { target: userId, details: { sessions } });
}

import { factorsIn, holdPerson, makeRecoveryCodes, methodsOf, type Who } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { PersonCaller } from '../platform/http/access.ts';
import type { CustomerVault } from '../platform/vault/vault.ts';
import { whoOf } from './signed-in.ts';

/**
 * Throws unless somebody may add a factor: the first one right after the password, any other only after one was shown
 * within the last minutes.
 */
export async function requireMayAdd(tx: Tx, clock: Clock, caller: PersonCaller): Promise<void> {
  await holdPerson(tx, whoOf(caller));
  const { factorShown, freshUntil } = caller.person;
  if (factorShown) {
    if (freshUntil !== null && freshUntil > clock.now()) return;
    throw new AppError('step_up_required', 'Show your second factor again to do this');
  }
  if (factorsIn(await methodsOf(tx, whoOf(caller))) > 0) throw new AppError('signed_out');
}

/** The recovery codes that come with the first factor; null where there are some already. */
export async function codesWithFirst(
  tx: Tx,
  keeping: { clock: Clock; keys: CustomerVault },
  who: Who,
): Promise<string[] | null> {
  const { recovery_codes: left } = await methodsOf(tx, who);
  return left > 0 ? null : makeRecoveryCodes(tx, keeping, who);
}

/** Throws where a person has one factor only: without any, nobody could sign in again. */
export async function requireAnother(tx: Tx, who: Who): Promise<void> {
  await holdPerson(tx, who);
  if (factorsIn(await methodsOf(tx, who)) > 1) return;
  throw new AppError('conflict', 'This is your only second factor. Add another one first');
}

import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { violatedConstraint } from '../platform/db/failure.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { Role } from '../platform/http/access.ts';
import { timeOrderedId } from '../platform/ids.ts';
import { recordAct } from './audit/record.ts';
import { INSTALLATION } from './audit/signing-key.ts';
import { requireOpen } from './customers.ts';
import { makeSetupLink } from './setup-links.ts';
import './tables.ts';

const ROLES: Role[] = ['owner', 'admin', 'editor', 'reader'];
const OPERATOR_ROLES: Role[] = ['operator'];
const LONGEST_EMAIL = 254;

/**
 * Makes a user who sets a password by a link that works once; returns the link's token. Operators belong to the
 * installation, and nobody else does. `requireMay` throws where whoever asks may not do so any more.
 */
export async function createUser(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  { email, role, name = '' }: { email: string; role: string; name?: string },
  requireMay: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<{ id: string; setupToken: string }> {
  const { customerId } = act;
  requireAddress('email', email);
  const roles = customerId === INSTALLATION ? OPERATOR_ROLES : ROLES;
  const known = roles.find((each) => each === role);
  if (known === undefined) throw invalidField('role', `takes one of ${roles.join(', ')}`);
  const id = timeOrderedId(clock);
  try {
    const setupToken = await db.tenant([customerId], async (tx) => {
      await requireOpen(tx, customerId);
      await requireMay(tx);
      const user = {
        id,
        customer_id: customerId,
        email,
        name,
        role: known,
        password_hash: null,
        created_at: clock.now(),
        disabled_at: null,
      };
      await tx.insertInto('users').values(user).execute();
      await recordAct(tx, clock, act, { target: id, details: { role } });
      return makeSetupLink(tx, clock, { customerId, userId: id }, 'invitation');
    });
    return { id, setupToken };
  } catch (error) {
    if (violatedConstraint(error) === null) throw error;
    throw new AppError('conflict', 'email: is taken', { fields: { email: ['is taken'] } });
  }
}

/** Throws unless something can be the address of a user. */
export function requireAddress(field: string, email: string): void {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= LONGEST_EMAIL) return;
  throw invalidField(field, 'takes an email address');
}

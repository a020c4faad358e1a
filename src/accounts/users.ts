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

interface NewUser {
  email: string;
  role: string;
  name?: string;
}

/**
 * Makes a user who sets a password by a link that works once; returns the link's token. Operators belong to the
 * installation, and nobody else does.
 */
export async function createUser(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  wanted: NewUser,
): Promise<{ id: string; setupToken: string }> {
  return db.tenant([act.customerId], (tx) => createUserIn(tx, clock, act, wanted));
}

/** The same in a transaction that is more than that. */
export async function createUserIn(
  tx: Tx,
  clock: Clock,
  act: Act,
  { email, role, name = '' }: NewUser,
): Promise<{ id: string; setupToken: string }> {
  const { customerId } = act;
  requireAddress('email', email);
  const roles = customerId === INSTALLATION ? OPERATOR_ROLES : ROLES;
  const known = roles.find((each) => each === role);
  if (known === undefined) throw invalidField('role', `takes one of ${roles.join(', ')}`);
  await requireOpen(tx, customerId);
  const id = timeOrderedId(clock);
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
  await tx.insertInto('users').values(user).execute().catch(refuseTaken);
  await recordAct(tx, clock, act, { target: id, details: { role } });
  return { id, setupToken: await makeSetupLink(tx, clock, { customerId, userId: id }, 'invitation') };
}

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === null) throw error;
  throw new AppError('conflict', 'email: is taken', { fields: { email: ['is taken'] } });
}

/** Throws unless something can be the address of a user. */
export function requireAddress(field: string, email: string): void {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= LONGEST_EMAIL) return;
  throw invalidField(field, 'takes an email address');
}

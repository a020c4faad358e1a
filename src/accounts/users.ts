import { createHash, randomBytes } from 'node:crypto';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { violatedConstraint } from '../platform/db/failure.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { timeOrderedId } from '../platform/ids.ts';
import { recordAct } from './audit/record.ts';
import type { Role } from './tables.ts';

const ROLES: Role[] = ['owner', 'admin', 'editor', 'reader'];
const SETUP_DAYS = 7;

/** Makes a user who sets a password by a link that works once; returns the link's token. */
export async function createUser(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  { email, role }: { email: string; role: string },
): Promise<{ id: string; setupToken: string }> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalidField('email', 'takes an email address');
  if (!isRole(role)) throw invalidField('role', `takes one of ${ROLES.join(', ')}`);
  const id = timeOrderedId(clock);
  const setupToken = randomBytes(32).toString('base64url');
  const now = clock.now();
  try {
    await db.tenant([act.customerId], async (tx) => {
      const user = {
        id,
        customer_id: act.customerId,
        email,
        role,
        password_hash: null,
        created_at: now,
        disabled_at: null,
      };
      await tx.insertInto('users').values(user).execute();
      await tx
        .insertInto('user_setup_links')
        .values({
          token_hash: createHash('sha256').update(setupToken).digest(),
          customer_id: act.customerId,
          user_id: id,
          created_at: now,
          expires_at: new Date(now.getTime() + SETUP_DAYS * 24 * 3600 * 1000),
          used_at: null,
        })
        .execute();
      await recordAct(tx, clock, act, { target: id, details: { role } });
    });
  } catch (error) {
    if (violatedConstraint(error) === null) throw error;
    throw new AppError('conflict', 'email: is taken', { fields: { email: ['is taken'] } });
  }
  return { id, setupToken };
}

function isRole(role: string): role is Role {
  return (ROLES as string[]).includes(role);
}

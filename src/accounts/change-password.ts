import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { PersonCaller } from '../platform/http/access.ts';
import { recordAct } from './audit/record.ts';
import { requireOwnPassword } from './own-password.ts';
import type { PasswordQueue } from './password-queue.ts';
import { requireStrong } from './password-rules.ts';
import type { Who } from './sessions/begin-session.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { setPassword } from './set-up-user.ts';
import { spendSetupLinks } from './setup-links.ts';
import './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
  passwords: PasswordQueue;
}

/** Changes the password of whoever knows the present one; all their other sessions end. */
export async function changePassword(
  deps: Deps,
  act: Act,
  caller: PersonCaller,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const { db, clock, passwords } = deps;
  const { customerId, person } = caller;
  const who = { customerId, userId: person.userId };
  const { hash, ...about } = await requireOwnPassword(deps, caller, 'current', current);
  requireStrong(password, about);
  const passwordHash = await passwords.hash(password);
  await db.tenant([customerId], async (tx) => {
    if (!(await isStillIt(tx, who, hash))) throw invalidField('current', 'is not right');
    await setPassword(tx, who, passwordHash);
    await spendSetupLinks(tx, clock, who);
    await endSessions(tx, clock, who, person.sessionId);
    await recordAct(tx, clock, act, { target: who.userId });
  });
}

/** Whether the password that was compared still counts: meanwhile its owner may have set another by a link in their mail. */
async function isStillIt(tx: Tx, { customerId, userId }: Who, hash: string | null): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('customer_id', '=', customerId)
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.password_hash === hash;
}

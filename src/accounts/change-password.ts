import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { PersonCaller } from '../platform/http/access.ts';
import { recordAct } from './audit/record.ts';
import type { PasswordQueue } from './password-queue.ts';
import { requireStrong } from './password-rules.ts';
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
  { db, clock, passwords }: Deps,
  act: Act,
  { customerId, person }: PersonCaller,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const who = { customerId, userId: person.userId };
  const user = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('users')
      .select(['email', 'name', 'password_hash'])
      .where('customer_id', '=', customerId)
      .where('id', '=', who.userId)
      .executeTakeFirstOrThrow(),
  );
  if (!(await passwords.matches(user.password_hash, current))) throw invalidField('current', 'is not right');
  requireStrong(password, user);
  const passwordHash = await passwords.hash(password);
  await db.tenant([customerId], async (tx) => {
    await setPassword(tx, who, passwordHash);
    await spendSetupLinks(tx, clock, who);
    await endSessions(tx, clock, who, person.sessionId);
    await recordAct(tx, clock, act, { target: who.userId });
  });
}

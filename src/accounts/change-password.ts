import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { PersonCaller } from '../platform/http/access.ts';
import { recordAct } from './audit/record.ts';
import { requireOwnPassword } from './own-password.ts';
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
  deps: Deps,
  act: Act,
  caller: PersonCaller,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const { db, clock, passwords } = deps;
  const { customerId, person } = caller;
  const who = { customerId, userId: person.userId };
  requireStrong(password, await requireOwnPassword(deps, caller, 'current', current));
  const passwordHash = await passwords.hash(password);
  await db.tenant([customerId], async (tx) => {
    await setPassword(tx, who, passwordHash);
    await spendSetupLinks(tx, clock, who);
    await endSessions(tx, clock, who, person.sessionId);
    await recordAct(tx, clock, act, { target: who.userId });
  });
}

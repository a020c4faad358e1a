import { timingSafeEqual } from 'node:crypto';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { violatedConstraint } from '../platform/db/failure.ts';
import { type AppError, invalidField } from '../platform/errors.ts';
import type { PersonCaller } from '../platform/http/access.ts';
import type { CustomerVault } from '../platform/vault/vault.ts';
import { recordAct } from './audit/record.ts';
import { holdPerson } from './hold-person.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { readAbout } from './set-up-user.ts';
import { spendSetupLinks } from './setup-links.ts';
import './tables.ts';

const HOUR_MS = 3600_000;
const DIGITS = 8;
const BYTES_OF_CODE = 6;

interface Deps {
  db: Database;
  clock: Clock;
  installationKeys: CustomerVault;
}

/** The address that somebody wants to sign in with, and until when they may show that they read mail there. */
interface WantedAddress {
  email: string;
  until: string;
}

/** Writes down that somebody wants another address; answers the code that is to be read there. */
export async function askForAddress(
  { db, clock, installationKeys }: Deps,
  act: Act,
  { customerId, person }: PersonCaller,
  email: string,
): Promise<{ until: string; code: string }> {
  const who = { customerId, userId: person.userId };
  const until = new Date(clock.now().getTime() + HOUR_MS).toISOString();
  return db.tenant([customerId], async (tx) => {
    await recordAct(tx, clock, act, { target: who.userId });
    const about = await readAbout(tx, who);
    return { until, code: codeOf(installationKeys, [person.sessionId, about.email, email, until]) };
  });
}

/**
 * Gives somebody who was sent the code another address, and ends their other sessions. What the address before is told
 * comes last.
 */
export async function changeAddress(
  { db, clock, installationKeys }: Deps,
  act: Act,
  { customerId, person }: PersonCaller,
  { email, until, code }: WantedAddress & { code: string },
  tell: (tx: Tx, before: string) => Promise<void>,
): Promise<void> {
  const who = { customerId, userId: person.userId };
  try {
    await db.tenant([customerId], async (tx) => {
      await holdPerson(tx, who); // or else two go through, and an address in between is never told
      const about = await readAbout(tx, who);
      const right = codeOf(installationKeys, [person.sessionId, about.email, email, until]);
      if (new Date(until) <= clock.now() || !isSame(code, right)) throw wrongCode();
      await tx
        .updateTable('users')
        .set({ email })
        .where('customer_id', '=', customerId)
        .where('id', '=', who.userId)
        .execute();
      await spendSetupLinks(tx, clock, who);
      await endSessions(tx, clock, who, person.sessionId);
      await recordAct(tx, clock, act, { target: who.userId });
      await tell(tx, about.email);
    });
  } catch (error) {
    // That somebody else has the address is not told to whoever asks.
    if (violatedConstraint(error) === null) throw error;
    throw wrongCode();
  }
}

/** A code that nobody has to keep: only the browser that asked can use it, and only while its owner has the address before. */
function codeOf(keys: CustomerVault, parts: readonly [session: string, before: string, email: string, until: string]) {
  const number = keys.blindIndex('sign-in address', JSON.stringify(parts)).readUIntBE(0, BYTES_OF_CODE);
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

function isSame(code: string, right: string): boolean {
  const [given, wanted] = [Buffer.from(code), Buffer.from(right)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function wrongCode(): AppError {
  return invalidField('code', 'is not right, was sent more than an hour ago, or the address cannot be used');
}

import { sql } from 'kysely';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { Role } from '../platform/http/access.ts';
import { recordAct } from './audit/record.ts';
import { INSTALLATION } from './audit/signing-key.ts';
import type { PasswordQueue } from './password-queue.ts';
import { beginSession, type SessionSecrets, type Who } from './sessions/begin-session.ts';
import './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
  passwords: PasswordQueue;
}

/** Somebody who is known by an address. */
export interface FoundUser {
  id: string;
  customer_id: number;
  role: Role;
  password_hash: string | null;
  disabled_at: Date | null;
}

/** A session that was begun, and whose it is. */
export interface Begun {
  who: Who;
  secrets: SessionSecrets;
}

/**
 * Begins a session for whoever knows the password of a user; null otherwise. An unknown address, a wrong password and
 * somebody who was removed take the same steps: a lookup, a hash and an audit row.
 */
export async function signIn(
  { db, clock, passwords }: Deps,
  user: FoundUser | null,
  asked: { email: string; password: string; agent: string; requestId: string },
): Promise<Begun | null> {
  const isRight = await passwords.matches(user?.password_hash ?? null, asked.password);
  const customerId = user?.customer_id ?? INSTALLATION;
  return db.tenant([customerId], async (tx) => {
    const passed = isRight && user !== null && (await isStillTheirs(tx, user, asked.email));
    const act: Act = {
      customerId,
      actor: user === null ? { kind: 'public', id: 'sign-in' } : { kind: 'user', id: user.id },
      action: passed ? 'sign-in.password-passed' : 'sign-in.failed',
      requestId: asked.requestId,
    };
    await recordAct(tx, clock, act, user === null ? {} : { target: user.id });
    if (!passed) return null;
    const who = { customerId, userId: user.id };
    return { who, secrets: await beginSession(tx, clock, who, asked.agent) };
  });
}

/**
 * Whether the address and the password that were compared still count: meanwhile they may have been changed, or their owner
 * removed. Whoever does that then waits for the session, and ends it with the others.
 */
async function isStillTheirs(tx: Tx, { id, customer_id, password_hash }: FoundUser, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('customer_id', '=', customer_id)
    .where('id', '=', id)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined && row.password_hash === password_hash;
}

/** The user of an address, whatever case it is written in; one who was removed only where nobody else has it. */
export async function findUser(db: Database, email: string): Promise<FoundUser | null> {
  const { rows } = await db.untenanted((tx) => sql<FoundUser>`select * from find_user(${email})`.execute(tx));
  return rows[0] ?? null;
}

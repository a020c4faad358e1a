import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { recordAct } from './audit/record.ts';
import type { PasswordQueue } from './password-queue.ts';
import { requireStrong } from './password-rules.ts';
import { readName } from './read-name.ts';
import { beginSession, type Who } from './sessions/begin-session.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { findSetupLink, useSetupLink } from './setup-links.ts';
import type { Begun } from './sign-in.ts';
import './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
  passwords: PasswordQueue;
}

interface Setup {
  token: string;
  password: string;
  name?: string | undefined;
  /** What the browser is, in words. */
  agent: string;
  requestId: string;
}

/** Sets a user's first password by the link of an invitation, which works once, and signs the browser in. */
export async function setUpUser(deps: Deps, { token, password, agent, requestId, ...given }: Setup): Promise<Begun> {
  const { db, clock, passwords } = deps;
  const name = given.name === undefined ? undefined : readName('name', given.name);
  const who = await findSetupLink(deps, token, 'invitation');
  const about = await db.tenant([who.customerId], (tx) => readAbout(tx, who));
  requireStrong(password, { ...about, name: name ?? about.name });
  const passwordHash = await passwords.hash(password);
  return db.tenant([who.customerId], async (tx) => {
    await useSetupLink(tx, clock, who, token);
    await setPassword(tx, who, passwordHash);
    if (name !== undefined) await rename(tx, who, name);
    await recordAct(tx, clock, actOf(who, 'user.set-up', requestId), { target: who.userId });
    return { who, secrets: await beginSession(tx, clock, who, agent) };
  });
}

/** Sets a new password by a link that was mailed, which works once; all sessions of the person end. */
export async function resetPassword(
  deps: Deps,
  { token, password, requestId }: { token: string; password: string; requestId: string },
): Promise<Who> {
  const { db, clock, passwords } = deps;
  const who = await findSetupLink(deps, token, 'reset');
  requireStrong(password, await db.tenant([who.customerId], (tx) => readAbout(tx, who)));
  const passwordHash = await passwords.hash(password);
  await db.tenant([who.customerId], async (tx) => {
    await useSetupLink(tx, clock, who, token);
    await setPassword(tx, who, passwordHash);
    await endSessions(tx, clock, who);
    await recordAct(tx, clock, actOf(who, 'user.password-reset', requestId), { target: who.userId });
  });
  return who;
}

/** What is known of a person, which is no part of a good password. */
export async function readAbout(tx: Tx, { customerId, userId }: Who): Promise<{ email: string; name: string }> {
  return tx
    .selectFrom('users')
    .select(['email', 'name'])
    .where('customer_id', '=', customerId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Writes the hash of a person's password. */
export async function setPassword(tx: Tx, { customerId, userId }: Who, passwordHash: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('customer_id', '=', customerId)
    .where('id', '=', userId)
    .execute();
}

/** Writes what a person is called. */
export async function rename(tx: Tx, { customerId, userId }: Who, name: string): Promise<void> {
  await tx.updateTable('users').set({ name }).where('customer_id', '=', customerId).where('id', '=', userId).execute();
}

function actOf({ customerId, userId }: Who, action: string, requestId: string) {
  return { customerId, actor: { kind: 'user' as const, id: userId }, action, requestId };
}

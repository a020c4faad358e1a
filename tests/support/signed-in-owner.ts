import { randomUUID } from 'node:crypto';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { TestApp } from './app.ts';
import { type SignedIn, signIn } from './people-session.ts';

/** Somebody of a customer who is signed in, with all that belongs to it. */
export interface SignedInOwner {
  /** Signed in for long, with a second factor that stays fresh. */
  person: SignedIn;
  /** Another session of theirs, and a passkey, to be taken away. */
  leavingSessionId: string;
  passkeyId: string;
}

/** Signs an owner in, who has a session, a passkey and a recovery code to spare. */
export async function addSignedIn(app: TestApp, customer: { id: number; mark: string }): Promise<SignedInOwner> {
  const { id, mark } = customer;
  const person = await signIn(app, { id }, 'owner');
  const [leavingSessionId, passkeyId] = [randomUUID(), randomUUID()];
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query(
      `update user_sessions set fresh_at = now() + interval '1 day', seen_at = now() + interval '1 day',
        expires_at = now() + interval '2 days' where customer_id = $1`,
      [id],
    );
    await client.query(
      `insert into user_sessions (id, customer_id, user_id, token_hash, csrf, agent, created_at, seen_at, expires_at)
       values ($1, $2, $3, $4, $5, $5, now(), now(), now() + interval '1 day')`,
      [leavingSessionId, id, person.userId, Buffer.from(mark), mark],
    );
    await client.query(
      `insert into user_passkeys (id, customer_id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values ($1, $2, $3, $4, $5, 0, '{}', $4, now())`,
      [passkeyId, id, person.userId, mark, Buffer.from(mark)],
    );
    await client.query(
      'insert into user_recovery_codes (user_id, customer_id, code_index, created_at) values ($1, $2, $3, now())',
      [person.userId, id, Buffer.from(mark)],
    );
  });
  return { person, leavingSessionId, passkeyId };
}

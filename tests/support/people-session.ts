// tests/support/people-session.ts: `signIn(app, customer, role)` gives a person with an open, fresh session.
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import {
  beginSession,
  confirmTotp,
  createUser,
  enrolTotp,
  INSTALLATION,
  proveSession,
} from '../../src/accounts/index.ts';
import type { Role } from '../../src/platform/http/access.ts';
import type { Reply, RequestOptions, TestApp, TestCustomer } from './app.ts';
import { createMovableClock } from './clock.ts';

/** Somebody who is signed in, and has shown the second factor just now. */
export interface SignedIn {
  userId: string;
  email: string;
  /** The secret of the authenticator app, as it is typed in. */
  totpSecret: string;
  /** The Cookie header, and the token that goes with it. */
  cookie: string;
  csrf: string;
  /** Calls as the dashboard does. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** The code that the app shows now; each is taken once. */
  code(): string;
}

/** Makes a user with an authenticator app and an open session. An operator belongs to no customer. */
export async function signIn(app: TestApp, customer: Pick<TestCustomer, 'id'> | null, role: Role): Promise<SignedIn> {
  const { db, vault, clock } = app.installation;
  const customerId = customer?.id ?? INSTALLATION;
  const email = `${role}-${randomUUID()}@example.org`;
  const { id: userId } = await createUser(app.installation, app.act(customerId, 'user.created'), { email, role });
  const who = { customerId, userId };
  const keys = await vault.of(customerId);
  const { secret, token, csrf } = await db.tenant([customerId], async (tx) => {
    const enrolled = await enrolTotp(tx, keys, who, email);
    // The code of the step before, so that this one's is not used up; at one moment, since with the next step it is void.
    const enrolling = createMovableClock(clock.now());
    const earlier = codeOf(enrolled.secret, new Date(enrolling.now().getTime() - 30_000));
    if (!(await confirmTotp(tx, { clock: enrolling, keys }, who, earlier))) throw new Error('the code was not taken');
    await beginSession(tx, clock, who, 'Chrome on Linux');
    const { id: sessionId } = await tx
      .selectFrom('user_sessions')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return { secret: enrolled.secret, ...(await proveSession(tx, clock, { customerId, sessionId })) };
  });
  const cookie = `carepost_session=${token}`;
  return {
    userId,
    email,
    totpSecret: secret,
    cookie,
    csrf,
    request: (method, path, options = {}) =>
      app.request(method, path, {
        ...options,
        headers: { cookie, ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }), ...options.headers },
      }),
    code: () => codeOf(secret, clock.now()),
  };
}

/** The code that an authenticator app with this secret shows at a moment. */
export function codeOf(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

import { Type } from 'typebox';
import {
  changePassword,
  type FoundUser,
  findUser,
  holdPerson,
  makeSetupLink,
  readAbout,
  recordAct,
  resetPassword,
} from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { type Endpoint, endpoint, publicEndpoint } from '../../platform/http/endpoint.ts';
import { mailSetupLink } from '../account-mail.ts';
import type { DashboardDeps } from '../deps.ts';
import { countFactor, countResetMail } from '../sign-in-limits.ts';
import { signedIn } from '../signed-in.ts';

const Password = Type.String({ maxLength: 1000 });

/** How a password is changed, and how somebody who has forgotten it gets another. */
export function passwordEndpoints(deps: DashboardDeps): Endpoint[] {
  return [
    publicEndpoint({
      method: 'POST',
      path: '/password/forgot',
      operation: 'forgetPassword',
      summary: 'Have a link for a new password mailed, where the address is known',
      access: 'public',
      audit: 'user.password-forgotten',
      body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }),
      reply: Type.Object({}),
      async handle({ body, ip, requestId }) {
        const email = body.email.trim();
        const user = await findUser(deps.db, email);
        countResetMail(deps, { email, userId: user?.id ?? null, ip });
        // The answer waits for nothing more, so that it tells nothing.
        setImmediate(() => {
          mailLink(deps, user, requestId).catch((error: unknown) =>
            deps.log.error({ requestId, err: error }, 'the link for a new password was not mailed'),
          );
        });
        return {};
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/password/reset',
      operation: 'resetPassword',
      summary: 'Set a new password by a link that was mailed; all sessions of the person end',
      access: 'public',
      audit: 'user.password-reset',
      body: Type.Object({ token: Type.String({ maxLength: 100 }), password: Password }),
      reply: Type.Object({}),
      async handle({ body, requestId }) {
        const { userId } = await resetPassword(deps, { ...body, requestId });
        deps.sessions.forget(userId);
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/password',
      operation: 'changePassword',
      summary: 'Change your password; your other sessions end',
      access: { scope: 'people', role: 'any', fresh: true },
      audit: 'user.password-changed',
      body: Type.Object({ current: Password, password: Password }),
      reply: Type.Object({}),
      async handle({ caller, act, body }) {
        const person = signedIn(caller);
        const attempt = countFactor(deps, person.person.userId);
        await changePassword(deps, act, person, body);
        attempt.forgive();
        deps.sessions.forget(person.person.userId);
        return {};
      },
    }),
  ];
}

async function mailLink(deps: DashboardDeps, user: FoundUser | null, requestId: string): Promise<void> {
  const { db, clock } = deps;
  if (user === null || user.disabled_at !== null || user.password_hash === null) return;
  const { id: userId, customer_id: customerId } = user;
  const act: Act = { customerId, actor: { kind: 'user', id: userId }, action: 'user.password-forgotten', requestId };
  const letter = await db.tenant([customerId], async (tx) => {
    await recordAct(tx, clock, act, { target: userId });
    const who = { customerId, userId };
    // Whoever changes the address meanwhile is waited for, or spends the link.
    await holdPerson(tx, who);
    // It goes to the address as it is known here: what was typed may only look like it.
    const { email: known } = await readAbout(tx, who);
    return { email: known, token: await makeSetupLink(tx, clock, who, 'reset') };
  });
  await mailSetupLink(deps, act, { kind: 'reset', customerName: null, ...letter });
}

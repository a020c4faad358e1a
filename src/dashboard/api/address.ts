import { Type } from 'typebox';
import { askForAddress, changeAddress, findUser, requireAddress, requireOwnPassword } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { mailNotice, mailNoticeWithin } from '../account-mail.ts';
import type { DashboardDeps } from '../deps.ts';
import { countAddressMail, countFactor } from '../sign-in-limits.ts';
import { signedIn } from '../signed-in.ts';
import { Moment, TextOrNull } from './reply-parts.ts';

const Address = Type.String({ minLength: 1, maxLength: 254 });

/** How somebody changes the address that they sign in with. */
export function addressEndpoints(deps: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/me/address',
      operation: 'askForAddress',
      summary: 'By your password, have a code mailed to the address you want to sign in with, where nobody here has it',
      access: { scope: 'people', role: 'any', fresh: true },
      audit: 'user.address-asked',
      body: Type.Object({ email: Address, password: Type.String({ maxLength: 1000 }) }),
      reply: Type.Object({ until: Moment, code: TextOrNull }),
      async handle({ caller, act, body }) {
        const person = signedIn(caller);
        const email = body.email.trim();
        requireAddress('email', email);
        // Links for a new password go to the address, so a browser that was left open is not enough.
        const attempt = countFactor(deps, person.person.userId);
        await requireOwnPassword(deps, person, 'password', body.password);
        attempt.forgive();
        countAddressMail(deps, person.person.userId);
        const { until, code } = await askForAddress(deps, act, person, email);
        // The answer waits for nothing more, so that it does not tell who is known here.
        later(deps, act, async () => {
          const known = await findUser(deps.db, email);
          const isTaken = known !== null && known.disabled_at === null;
          if (!isTaken) await mailNotice(deps, act, codeLetter(email, code));
        });
        return { until, code: deps.delivery === 'sandbox' ? code : null };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/me/address/confirm',
      operation: 'changeAddress',
      summary: 'Sign in with another address from now on, by the code that was mailed there; your other sessions end',
      access: { scope: 'people', role: 'any', fresh: true },
      audit: 'user.address-changed',
      body: Type.Object({ email: Address, until: Moment, code: Type.String({ maxLength: 20 }) }),
      reply: Type.Object({}),
      async handle({ caller, act, body }) {
        const person = signedIn(caller);
        const attempt = countFactor(deps, person.person.userId);
        const wanted = { ...body, email: body.email.trim(), code: body.code.trim() };
        await changeAddress(deps, act, person, wanted, (tx, before) =>
          mailNoticeWithin(tx, deps, act, { email: before, ...CHANGED }),
        );
        deps.onAccepted();
        attempt.forgive();
        deps.sessions.forget(person.person.userId);
        return {};
      },
    }),
  ];
}

function later({ log }: DashboardDeps, { requestId }: Act, mail: () => Promise<void>): void {
  setImmediate(() => {
    mail().catch((error: unknown) => log.error({ requestId, err: error }, 'a mail about an address was not sent'));
  });
}

function codeLetter(email: string, code: string) {
  return {
    email,
    subject: 'Your new address for Carepost',
    text: `Somebody wants to sign in to Carepost with this address.

Enter this code within an hour, in the window in which you asked for it:
${code}

If it was not you, ignore this mail: nothing changes.
`,
  };
}

const CHANGED = {
  subject: 'Your address for Carepost was changed',
  text: `From now on you sign in to Carepost with another address, and links for a new password go there.
All other browsers that were signed in are signed out.

If it was not you, tell whoever runs your Carepost server at once.
`,
};

import { Type } from 'typebox';
import {
  agentInWords,
  findUser,
  keepChallenge,
  methodsOf,
  requestOptions,
  signIn,
  type Who,
} from '../../accounts/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Access } from '../../platform/http/access.ts';
import { type Endpoint, endpoint, publicEndpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { relyingParty } from '../relying-party.ts';
import { showPasskey, showRecoveryCode, showTotp } from '../show.ts';
import { countSignIn } from '../sign-in-limits.ts';
import { giveSession, signedIn, whoOf } from '../signed-in.ts';
import { PasskeyAssertion, RequestOptions } from './passkey-schemas.ts';

const LONGEST_EMAIL = 254;
const LONGEST_PASSWORD = 256;

/** What may be called between the password and the second factor. */
const HALF_WAY = { scope: 'people', role: 'any', unproven: true } as const satisfies Access;
const FAILED = 'sign-in.failed';

const Begun = Type.Object({ state: Type.Enum(['enrol', 'factor']), csrf: Type.String() });
/** What whoever has shown the second factor is told. */
export const ProvenReply = Type.Object({ state: Type.Literal('open'), csrf: Type.String() });
/** A code that is typed in. */
export const CodeBody = Type.Object({ code: Type.String({ maxLength: 40 }) });

/** How people sign in: with a password, and then with a second factor. */
export function signInEndpoints(deps: DashboardDeps): Endpoint[] {
  return [
    publicEndpoint({
      method: 'POST',
      path: '/sign_in',
      operation: 'signIn',
      summary: 'Begin to sign in with an address and a password',
      access: 'public',
      audit: 'sign-in.password-passed',
      body: Type.Object({
        email: Type.String({ minLength: 1, maxLength: LONGEST_EMAIL }),
        password: Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD }),
      }),
      reply: Begun,
      async handle({ body, headers, ip, requestId, setHeader }) {
        const email = body.email.trim();
        const user = await findUser(deps.db, email);
        const attempt = countSignIn(deps, { email, userId: user?.id ?? null, ip, cookies: headers.cookie });
        const agent = agentInWords(headers['user-agent']);
        const begun = await signIn(deps, user, { email, password: body.password, agent, requestId });
        if (begun === null) throw new AppError('signed_out', 'The address or the password is not right');
        attempt.forgive();
        return { state: await stateOf(deps, begun.who), ...giveSession(deps, { setHeader }, begun.secrets) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/sign_in/totp',
      operation: 'signInWithTotp',
      summary: 'Finish signing in with a code of an authenticator app',
      access: HALF_WAY,
      audit: 'sign-in.passed',
      body: CodeBody,
      reply: ProvenReply,
      handle: (call) => showTotp(deps, call, FAILED, call.body.code),
    }),
    endpoint({
      method: 'POST',
      path: '/sign_in/recovery',
      operation: 'signInWithRecoveryCode',
      summary: 'Finish signing in with a recovery code, which works once',
      access: HALF_WAY,
      audit: 'sign-in.passed',
      body: CodeBody,
      reply: ProvenReply,
      handle: (call) => showRecoveryCode(deps, call, FAILED, call.body.code),
    }),
    endpoint({
      method: 'POST',
      path: '/sign_in/passkey/options',
      operation: 'beginSignInWithPasskey',
      summary: 'What a browser needs to show a passkey',
      access: HALF_WAY,
      audit: null,
      reply: RequestOptions,
      handle: (call) => askForPasskey(deps, call),
    }),
    endpoint({
      method: 'POST',
      path: '/sign_in/passkey',
      operation: 'signInWithPasskey',
      summary: 'Finish signing in with a passkey',
      access: HALF_WAY,
      audit: 'sign-in.passed',
      body: Type.Object({ credential: PasskeyAssertion }),
      reply: ProvenReply,
      handle: (call) => showPasskey(deps, call, FAILED, call.body.credential),
    }),
  ];
}

/** Begins to ask for a passkey: what it has to answer is kept with the session. */
export async function askForPasskey(
  deps: DashboardDeps,
  call: Pick<Parameters<Extract<Endpoint, { access: Access }>['handle']>[0], 'caller' | 'headers'>,
) {
  const caller = signedIn(call.caller);
  return deps.db.tenant([caller.customerId], async (tx) => {
    const options = await requestOptions(tx, relyingParty(deps, call.headers), whoOf(caller));
    await keepChallenge(tx, deps.clock, caller, options.challenge);
    return options;
  });
}

/** What comes after the password. */
export async function stateOf({ db }: Pick<DashboardDeps, 'db'>, who: Who): Promise<'enrol' | 'factor'> {
  const { totp, passkeys } = await db.tenant([who.customerId], (tx) => methodsOf(tx, who));
  return totp || passkeys > 0 ? 'factor' : 'enrol';
}

import {
  methodsOf,
  type RelyingParty,
  readAbout,
  showFactor,
  takeChallenge,
  takePasskey,
  takeRecoveryCode,
  takeTotp,
} from '../accounts/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Call } from '../platform/http/endpoint.ts';
import type { CustomerVault } from '../platform/vault/vault.ts';
import type { PasskeyAssertion } from './api/passkey-schemas.ts';
import type { DashboardDeps } from './deps.ts';
import { deviceCookie } from './known-device.ts';
import { relyingParty } from './relying-party.ts';
import { countFactor } from './sign-in-limits.ts';
import { giveSession, signedIn, whoOf } from './signed-in.ts';

type AnyCall = Pick<Call<unknown, unknown, unknown>, 'caller' | 'act' | 'headers' | 'setHeader'>;
type Judge = (tx: Tx, keys: CustomerVault) => Promise<boolean>;

/** What somebody who has shown a second factor is told. */
export interface Proven {
  state: 'open';
  csrf: string;
}

/** Takes what somebody shows as a second factor; where it is right, the browser gets a session of another token. */
export async function takeFactor(deps: DashboardDeps, call: AnyCall, failed: string, judge: Judge): Promise<Proven> {
  const caller = signedIn(call.caller);
  const attempt = countFactor(deps, caller.person.userId);
  const keys = await deps.vault.of(caller.customerId);
  try {
    const secrets = await showFactor(deps, call.act, caller, { failed, isRight: (tx) => judge(tx, keys) });
    attempt.forgive();
    const { email } = await deps.db.tenant([caller.customerId], (tx) => readAbout(tx, whoOf(caller)));
    call.setHeader('set-cookie', deviceCookie(deps, email));
    return { state: 'open', ...giveSession(deps, call, secrets) };
  } finally {
    deps.sessions.forget(caller.person.userId);
  }
}

/** Takes the code of an authenticator app. */
export function showTotp(deps: DashboardDeps, call: AnyCall, failed: string, code: string): Promise<Proven> {
  const who = whoOf(signedIn(call.caller));
  return takeFactor(deps, call, failed, (tx, keys) => takeTotp(tx, { clock: deps.clock, keys }, who, spaceless(code)));
}

/** Takes a recovery code. */
export function showRecoveryCode(deps: DashboardDeps, call: AnyCall, failed: string, code: string): Promise<Proven> {
  const who = whoOf(signedIn(call.caller));
  return takeFactor(deps, call, failed, async (tx, keys) => {
    const { totp, passkeys } = await methodsOf(tx, who);
    return (totp || passkeys > 0) && takeRecoveryCode(tx, { clock: deps.clock, keys }, who, code);
  });
}

/** Takes the answer of a passkey. */
export function showPasskey(
  deps: DashboardDeps,
  call: AnyCall,
  failed: string,
  response: PasskeyAssertion,
): Promise<Proven> {
  const caller = signedIn(call.caller);
  const party: RelyingParty = relyingParty(deps, call.headers);
  return takeFactor(deps, call, failed, async (tx) => {
    const challenge = await takeChallenge(tx, deps.clock, caller);
    return challenge !== null && takePasskey(tx, deps.clock, whoOf(caller), { party, challenge, response });
  });
}

/** A code without the spaces that apps show in it. */
export function spaceless(code: string): string {
  return code.replace(/\s/g, '');
}

import type { Authenticator } from '../../../platform/http/access.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { REPLY } from '../../smtp-server/replies.ts';
import type { Credentials } from './sign-in-exchange.ts';
import type { SignInGuard } from './sign-in-guard.ts';

const USERNAME = 'apikey';

export interface SignInDeps {
  authenticator: Authenticator;
  guard: SignInGuard;
  wait(ms: number): Promise<void>;
  log: Log;
  metrics: Pick<Metrics, 'smtpSubmissions' | 'signInFailures'>;
}

export interface SignIn {
  reply: string;
  /** The key that holds from now on. */
  key: string | null;
  close: boolean;
}

/**
 * Signs a key in. Unknown user, unknown key and wrong scope are refused with the same words, as long after the attempt
 * began: the wait covers the time that looking the key up took.
 */
export async function signIn(deps: SignInDeps, network: string, credentials: Credentials): Promise<SignIn> {
  const began = performance.now();
  const { username, password: key } = credentials;
  if (!deps.guard.admits({ network, key })) return { reply: REPLY.signInLocked, key: null, close: true };
  let caller: Awaited<ReturnType<Authenticator['find']>>;
  try {
    caller = await deps.authenticator.find(key);
  } catch (error) {
    deps.log.error({ err: error }, 'sign-in failed');
    return { reply: REPLY.signInLocked, key: null, close: false };
  }
  if (caller !== null && caller.scopes.has('email') && username === USERNAME) {
    deps.guard.noteSuccess({ network, key });
    return { reply: REPLY.signedIn, key, close: false };
  }
  deps.metrics.signInFailures.inc({ door: 'smtp' });
  const delay = deps.guard.noteFailure({ network, key });
  await deps.wait(delay - (performance.now() - began));
  return { reply: REPLY.signInRefused, key: null, close: false };
}

import { type SessionSecrets, type Who } from '../accounts/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Caller, PersonCaller } from '../platform/http/access.ts';
import { sessionCookie } from '../platform/http/sessions.ts';
import type { DashboardDeps } from './deps.ts';

/** Whoever calls by a session; nothing here is open to keys. */
export function signedIn(caller: Caller): PersonCaller {
  if (caller.person === null) throw new AppError('signed_out');
  return caller;
}

/** Whose session it is. */
export function whoOf({ customerId, person }: PersonCaller): Who {
  return { customerId, userId: person.userId };
}

interface Answer {
  setHeader(name: string, value: string): void;
}

/** Hands a session over to the browser: the token in a cookie, the other half in the body. */
export function giveSession(
  { publicUrl }: DashboardDeps,
  answer: Answer,
  { token, csrf }: SessionSecrets,
): { csrf: string } {
  answer.setHeader('set-cookie', sessionCookie(publicUrl, token));
  return { csrf };
}

import type { PersonCaller } from './access.ts';

/** A session that was found by the token in its cookie. */
export interface FoundSession {
  caller: PersonCaller;
  /** What every request that changes something has to carry beside the cookie. */
  csrf: string;
}

/** Finds whose a session of the dashboard is; answers at once where it is known already. */
export interface SessionFinder {
  /** A request in the background is nobody's doing, and so does not prolong the session. */
  find(token: string, options: { background: boolean }): FoundSession | null | Promise<FoundSession | null>;
  /** Writes down that somebody who reads in an emergency calls an endpoint, before it answers. */
  noteEmergency(caller: PersonCaller, call: { operation: string; ids: string[]; requestId: string }): Promise<void>;
}

/** The header of requests that a page makes by itself. */
export const BACKGROUND_HEADER = 'x-carepost-background';

/** What the cookie of a session is called. */
function cookieName(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-carepost' : 'carepost_session';
}

/** The cookie of a session: sent by no other site, out of reach of any script, and gone with the browser. */
export function sessionCookie(publicUrl: string, token: string): string {
  return `${cookieName(publicUrl)}=${token}; Path=/; HttpOnly; SameSite=Strict${isHttps(publicUrl) ? '; Secure' : ''}`;
}

/** What takes the cookie of a session away. */
export function endedCookie(publicUrl: string): string {
  return `${sessionCookie(publicUrl, '')}; Max-Age=0`;
}

/** The token of the session that a request says it belongs to. */
export function readSessionToken(header: string | undefined, publicUrl: string): string | null {
  return readCookie(header, cookieName(publicUrl));
}

/** The value of a cookie; null where it was not sent. */
export function readCookie(header: string | undefined, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.find((pair) => pair.startsWith(`${name}=`));
  return own?.slice(name.length + 1) ?? null;
}

export function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

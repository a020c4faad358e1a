import { SESSION_MINUTES } from './rules.ts';

const NAME = 'pickup';
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The cookie of a session: sent to this one pickup, by no other site, and out of reach of any script. */
export function sessionCookie(publicUrl: string, token: string, secret: string): string {
  const { protocol, hostname } = new URL(publicUrl);
  const secure = protocol === 'http:' && LOOPBACK.test(hostname) ? '' : '; Secure';
  return `${NAME}=${secret}; Path=/pickup/${token}; Max-Age=${SESSION_MINUTES * 60}; HttpOnly; SameSite=Strict${secure}`;
}

/** The session that a request says it belongs to. */
export function readSessionCookie(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.find((pair) => pair.startsWith(`${NAME}=`));
  return own?.slice(NAME.length + 1) ?? null;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { RelyingParty } from '../accounts/index.ts';

/** The server that passkeys are for: the host of the public address, whatever port its pages are read at. */
export function relyingParty({ publicUrl }: { publicUrl: string }, { host }: IncomingHttpHeaders): RelyingParty {
  const own = new URL(publicUrl);
  const read = URL.parse(`${own.protocol}//${host}`);
  const isOwn = read !== null && read.hostname === own.hostname && read.origin !== own.origin;
  return { id: own.hostname, origins: isOwn ? [own.origin, read.origin] : [own.origin] };
}

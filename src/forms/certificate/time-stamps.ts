import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createOpener } from '../../platform/net/open-connection.ts';
import { addressesOf, openFirst } from '../../platform/net/open-first.ts';
import { replyOver } from '../../platform/net/reply-over.ts';
import { completeHeaders } from '../../platform/net/request-headers.ts';
import type { Resolve } from '../../platform/net/resolve-addresses.ts';
import { hostOf } from '../../platform/net/target-url.ts';
import { within } from '../../platform/net/within.ts';
import { hexOf } from './check/bytes.ts';
import { der, inside, readOne, TAG } from './check/der.ts';
import { trimToken } from './check/time-stamp.ts';

/** Asks an authority to stamp a SHA-256 with the time; gives its token (RFC 3161), or throws TimeStampMissing. */
export type StampTime = (digest: Uint8Array) => Promise<Uint8Array>;

/** The authority could not be reached, or did not give a stamp. */
export class TimeStampMissing extends Error {
  override name = 'TimeStampMissing';
}

interface Options {
  url: string | null;
  resolve: Resolve;
  /** Authorities in PEM that are trusted besides the system's, where the address is https. */
  authorities?: string;
}

const WHOLE_MS = 10_000;
const LARGEST = 64 * 1024;
const SHA_256 = der(TAG.sequence, der(TAG.oid, Buffer.from('608648016503040201', 'hex')), der(TAG.nothing));

/** Asks the authority that the operator has chosen, which may stand on an inner network; null where there is none. */
export function createStampTime({ url: text, resolve, authorities }: Options): StampTime | null {
  if (text === null) return null;
  const url = new URL(text);
  const open = createOpener(authorities);
  return async (digest) => {
    try {
      const body = Buffer.from(requestFor(digest));
      const reply = await within(WHOLE_MS, async (signal) => {
        const addresses = await addressesOf(hostOf(url), resolve, () => true);
        const socket = await openFirst(open, { url, addresses, timeoutMs: WHOLE_MS, signal });
        const headers = completeHeaders({ 'Content-Type': 'application/timestamp-query' }, url, body.length);
        try {
          return await bytesOf(
            await replyOver(socket, { method: 'POST', path: url.pathname + url.search, headers, body }),
          );
        } finally {
          socket.destroy();
        }
      });
      return await trimToken(tokenIn(reply));
    } catch {
      throw new TimeStampMissing('no time stamp was given');
    }
  };
}

/** RFC 3161 2.4.1, with a nonce and the wish for the authority's certificate. */
function requestFor(digest: Uint8Array): Uint8Array {
  const nonce = randomBytes(8);
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  return der(
    TAG.sequence,
    der(TAG.integer, Uint8Array.of(1)),
    der(TAG.sequence, SHA_256, der(TAG.octets, digest)),
    der(TAG.integer, nonce),
    der(TAG.boolean, Uint8Array.of(0xff)),
  );
}

/** RFC 3161 2.4.2: 0 is granted, 1 granted with changes. */
function tokenIn(reply: Buffer): Uint8Array {
  const [told, token] = inside(readOne(reply, TAG.sequence), TAG.sequence);
  const [status] = inside(told, TAG.sequence);
  if (token === undefined || !['00', '01'].includes(hexOf(status?.content ?? Uint8Array.of()))) {
    throw new TimeStampMissing('the authority refused');
  }
  return token.whole;
}

async function bytesOf(reply: IncomingMessage): Promise<Buffer> {
  if (reply.statusCode !== 200) throw new TimeStampMissing('the authority refused');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply) {
    size += (chunk as Buffer).length;
    if (size > LARGEST) throw new TimeStampMissing('the reply is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

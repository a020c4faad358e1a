import type { IncomingMessage } from 'node:http';
import { createOpener } from '../net/open-connection.ts';
import { addressesOf, openFirst } from '../net/open-first.ts';
import { replyOver } from '../net/reply-over.ts';
import { completeHeaders } from '../net/request-headers.ts';
import type { Resolve } from '../net/resolve-addresses.ts';
import { hostOf } from '../net/target-url.ts';
import { within } from '../net/within.ts';

export interface AcmeReply {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** One request to the authority: a POST where there is a body. */
export type SendToAuthority = (url: string, body?: string) => Promise<AcmeReply>;

interface Options {
  resolve: Resolve;
  /** Authorities in PEM that are trusted besides the system's. */
  authorities?: string;
  /** Breaks off what is under way. */
  stopping: AbortSignal;
}

const WHOLE_MS = 30_000;
const LARGEST = 256 * 1024;

/** Talks to the authority that the operator has chosen, which may stand on an inner network; over https only. */
export function createSender({ resolve, authorities, stopping }: Options): SendToAuthority {
  const open = createOpener(authorities);
  return (text, body) =>
    within(WHOLE_MS, async (signal) => {
      const url = new URL(text);
      if (url.protocol !== 'https:') throw new Error('the authority named an address that is not https');
      const addresses = await addressesOf(hostOf(url), resolve, () => true);
      const socket = await openFirst(open, {
        url,
        addresses,
        timeoutMs: WHOLE_MS,
        signal: AbortSignal.any([signal, stopping]),
      });
      const bytes = Buffer.from(body ?? '');
      const told = {
        'User-Agent': 'Carepost',
        ...(body === undefined ? {} : { 'Content-Type': 'application/jose+json' }),
      };
      try {
        const reply = await replyOver(socket, {
          method: body === undefined ? 'GET' : 'POST',
          path: url.pathname + url.search,
          headers: completeHeaders(told, url, bytes.length),
          body: bytes,
        });
        return { status: reply.statusCode as number, headers: reply.headers, text: await textOf(reply) };
      } finally {
        socket.destroy();
      }
    });
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply) {
    size += (chunk as Buffer).length;
    if (size > LARGEST) throw new Error('the reply of the authority is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

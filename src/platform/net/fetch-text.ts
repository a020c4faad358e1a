import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DialFailed } from './dial-failed.ts';
import { type Connect, createOpener } from './open-connection.ts';
import { addressesOf, openFirst } from './open-first.ts';
import { replyOver } from './reply-over.ts';
import type { Resolve } from './resolve-addresses.ts';
import { checkTargetUrl, hostOf, TargetRefused } from './target-url.ts';
import { within } from './within.ts';

/** Gets a small plain text over https from a server whose certificate fits, or throws DialFailed. */
export type FetchText = (url: string) => Promise<string>;

export interface FetchTextOptions {
  resolve: Resolve;
  /** Which addresses may be called; all that a name has must be among them. */
  mayReach: (address: string) => boolean;
  /** Authorities in PEM that are trusted besides the system's. */
  authorities?: string;
  /** Starts the connections; a test puts its own server behind an address. */
  connect?: Connect;
}

const WHOLE_MS = 60_000;
const LARGEST = 64 * 1024;
const PLAIN_TEXT = /^text\/plain[ \t]*(?:;|$)/i;

/** Makes a FetchText: no redirects, no more than 64 KB, a minute for everything (RFC 8461 3.3). */
export function createFetchText(options: FetchTextOptions): FetchText {
  const open = createOpener(options.authorities, options.connect);
  return async (text) => {
    const url = checked(text);
    return within(WHOLE_MS, async (signal) => {
      const addresses = await addressesOf(hostOf(url), options.resolve, options.mayReach);
      const socket = await openFirst(open, { url, addresses, timeoutMs: WHOLE_MS, signal });
      return getTextOver(socket, url);
    });
  };
}

function checked(text: string): URL {
  try {
    return checkTargetUrl(text, { allowLoopback: false });
  } catch (error) {
    throw error instanceof TargetRefused ? new DialFailed('refused-target') : error;
  }
}

async function getTextOver(socket: Socket, url: URL): Promise<string> {
  try {
    const path = url.pathname + url.search;
    return await textOf(await replyOver(socket, { method: 'GET', path, headers: { Host: url.host } }));
  } catch {
    throw new DialFailed('broken');
  } finally {
    socket.destroy();
  }
}

async function textOf(reply: IncomingMessage): Promise<string> {
  if (reply.statusCode !== 200) throw new Error('the reply is not 200');
  if (!PLAIN_TEXT.test(reply.headers['content-type'] ?? '')) throw new Error('the reply is not plain text');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply) {
    bytes += (chunk as Buffer).length;
    if (bytes > LARGEST) throw new Error('the reply is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

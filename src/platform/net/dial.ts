import { isIP, type Socket } from 'node:net';
import { DialFailed } from './dial-failed.ts';
import { type Connect, createOpener, type OpenConnection } from './open-connection.ts';
import { type PostReply, postOver } from './post.ts';
import { isPublicAddress } from './public-address.ts';
import { completeHeaders } from './request-headers.ts';
import type { Resolve } from './resolve-addresses.ts';
import { checkTargetUrl, hostOf, TargetRefused, type TargetRules } from './target-url.ts';
import { within } from './within.ts';

export interface DiallerOptions extends TargetRules {
  resolve: Resolve;
  /** Authorities in PEM that are trusted besides the system's. */
  authorities?: string;
  /** Starts the connections; a test puts its own server behind an address. */
  connect?: Connect;
}

export interface DialRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer | string;
  /** For everything from the name to the last byte of the reply. */
  timeoutMs: number;
}

/** Posts to a URL that a stranger chose and gives the status, whatever it is, or throws DialFailed. */
export type Dial = (request: DialRequest) => Promise<PostReply>;

const MOST_ADDRESSES = 4;

/**
 * Makes a Dial that reaches nothing but the open internet: the name is looked up once, all of its
 * addresses must be public, and the connection goes to one of those that were checked.
 */
export function createDialler(options: DiallerOptions): Dial {
  const open = createOpener(options.authorities, options.connect);
  return async ({ url: text, headers, body: content, timeoutMs }) => {
    const url = checked(text, options);
    const body = Buffer.from(content);
    const post = { path: url.pathname + url.search, headers: completeHeaders(headers, url, body.length), body };
    return within(timeoutMs, async (signal) => {
      const addresses = await addressesOf(hostOf(url), options.resolve);
      const socket = await openFirst(open, { url, addresses, timeoutMs, signal });
      return postOver(socket, post);
    });
  };
}

function checked(text: string, rules: TargetRules): URL {
  try {
    return checkTargetUrl(text, rules);
  } catch (error) {
    throw error instanceof TargetRefused ? new DialFailed('refused-target') : error;
  }
}

/** Where a host may be called, or a throw where even one of its addresses must not be. */
async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(host) > 0) return [host];
  if (host === 'localhost') return ['127.0.0.1', '::1']; // RFC 6761 6.3: not asked of name servers
  const found = await resolve(host).catch(() => []);
  if (found.length === 0) throw new DialFailed('unresolved');
  if (!found.every(isPublicAddress)) throw new DialFailed('refused-target');
  return found.slice(0, MOST_ADDRESSES);
}

interface Opening {
  url: URL;
  addresses: string[];
  timeoutMs: number;
  signal: AbortSignal;
}

/** Tries one address after the other, each for its share of the time, until a connection stands. */
async function openFirst(open: OpenConnection, { url, addresses, timeoutMs, signal }: Opening): Promise<Socket> {
  let failure = new DialFailed('unreachable');
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await within(timeoutMs / addresses.length, (share) =>
        open(endpointOf(url, address), AbortSignal.any([signal, share])),
      );
    } catch (error) {
      // A wrong certificate is an answer; that another address did not answer must not hide it.
      if (!(error instanceof DialFailed) || error.reason === 'tls') throw error;
      failure = error;
    }
  }
  throw failure;
}

function endpointOf(url: URL, address: string) {
  const secured = url.protocol === 'https:';
  const port = Number(url.port || (secured ? 443 : 80));
  return { address, port, ...(secured ? { secureFor: hostOf(url) } : {}) };
}

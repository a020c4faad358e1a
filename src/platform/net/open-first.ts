import { isIP, type Socket } from 'node:net';
import { DialFailed } from './dial-failed.ts';
import type { OpenConnection } from './open-connection.ts';
import type { Resolve } from './resolve-addresses.ts';
import { hostOf } from './target-url.ts';
import { within } from './within.ts';

export interface Opening {
  url: URL;
  addresses: string[];
  timeoutMs: number;
  signal: AbortSignal;
}

const MOST_ADDRESSES = 4;

/** Where a host may be called, or a throw where even one of its addresses must not be. */
export async function addressesOf(
  host: string,
  resolve: Resolve,
  mayReach: (address: string) => boolean,
): Promise<string[]> {
  if (isIP(host) > 0) return [host];
  if (host === 'localhost') return ['127.0.0.1', '::1']; // RFC 6761 6.3: not asked of name servers
  const found = await resolve(host).catch(() => []);
  if (found.length === 0) throw new DialFailed('unresolved');
  if (!found.every(mayReach)) throw new DialFailed('refused-target');
  return found.slice(0, MOST_ADDRESSES);
}

/** Tries one address after the other, each for its share of the time, until a connection stands. */
export async function openFirst(open: OpenConnection, { url, addresses, timeoutMs, signal }: Opening): Promise<Socket> {
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

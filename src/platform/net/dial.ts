import { DialFailed } from './dial-failed.ts';
import { type Connect, createOpener } from './open-connection.ts';
import { addressesOf, openFirst } from './open-first.ts';
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
      const addresses = await addressesOf(hostOf(url), options.resolve, isPublicAddress);
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

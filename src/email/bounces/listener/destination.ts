import { readRecipient } from '../../smtp-server/envelope.ts';
import { domainOf } from '../../submission/address.ts';
import type { LinkTokens } from '../../tracking/token.ts';
import { type Returning, readReturnPath } from '../return-path.ts';

/** Where a mail comes to: whose return path it is, or one of the two mailboxes that are no return path. */
export type Destination = Returning | { kind: 'postmaster' } | { kind: 'tls-reports' };

export interface ReadDestinationDeps {
  tokens: LinkTokens;
  /** The installation's own domain of return paths, where it has one. */
  returnPathDomain: string | null;
}

const NOBODY = '550 5.1.1 No such mailbox here';
const BARE_POSTMASTER = /^TO: ?<postmaster>$/i; // RFC 5321 4.1.1.3

/** Reads the argument of RCPT: where the mail comes to, or the reply that refuses it. */
export function readDestination(
  { tokens, returnPathDomain }: ReadDestinationDeps,
  argument: string,
): Destination | { refusal: string } {
  if (BARE_POSTMASTER.test(argument)) return { kind: 'postmaster' };
  const read = readRecipient(argument);
  if ('refusal' in read) return read;
  const domain = domainOf(read.address);
  const isOwn = domain === returnPathDomain?.toLowerCase();
  if (!isOwn && !domain.startsWith('bounces.')) return { refusal: NOBODY };
  const mailbox = read.address.slice(0, -domain.length - 1).toLowerCase();
  if (mailbox === 'postmaster') return { kind: 'postmaster' };
  if (mailbox === 'tlsrpt' && isOwn) return { kind: 'tls-reports' };
  return readReturnPath(tokens, read.address) ?? { refusal: NOBODY };
}

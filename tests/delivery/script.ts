import type { TlsOptions } from 'node:tls';
import type { Certificate } from '../../src/platform/net/self-signed.ts';
import type { Authority } from '../support/authority.ts';

/** Where a dialogue stands: at the greeting, or at the command that was just received. */
export type Stage =
  | 'banner'
  | 'ehlo'
  | 'starttls'
  | 'secured ehlo'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'dot'
  | 'rset'
  | 'quit'
  | 'other';

/** The stages that every delivery goes through, in order. */
export const STAGES = ['banner', 'ehlo', 'starttls', 'secured ehlo', 'mail', 'rcpt', 'data', 'dot'] as const;

/** What a peer does at a stage. */
export interface Act {
  /** What it sends as it stands here, with its line ends; nothing when absent. */
  say?: string | Iterable<string> | AsyncIterable<string>;
  /** What it does thereafter; it goes on when absent. */
  then?: 'close' | 'reset' | 'half-close' | 'silence' | 'stop reading' | 'go on in clear';
}

/** What a script may look at. */
export interface Moment {
  stage: Stage;
  /** The command as it came; empty at the greeting and at the dot. */
  line: string;
  /** Connections to this peer, this one included. */
  connections: number;
  /** Messages of this connection whose MAIL came before. */
  messages: number;
  /** Whether more bytes had come behind the command before it was answered. */
  pipelined: boolean;
  secured: boolean;
  /** Whether MAIL was taken, and the message as far as it has come. */
  begun: boolean;
  from: string;
  recipients: string[];
  mime: string;
}

/** Who can vouch for a peer. */
export interface Issuer {
  /** The name of the peer's host. */
  name: string;
  /** Trusted by the product. */
  authority: Authority;
  /** Trusted by nobody. */
  stranger: Authority;
}

/** How a peer differs from a mail server that takes everything over TLS. */
export interface Script {
  /** What EHLO lists in clear and under TLS. */
  offers?: string[];
  offersSecured?: string[];
  certificate?(issuer: Issuer): Promise<Certificate>;
  tls?: TlsOptions;
  /** Says what to do in place of the usual; undefined for the usual. */
  act?(moment: Moment): Act | undefined;
}

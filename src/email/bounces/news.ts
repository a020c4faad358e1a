import { type BounceKind, kindOfCode } from '../delivery/outcome/bounce-kind.ts';
import { parseAddress } from '../submission/address.ts';
import type { ReturnKind } from '../tracking/token.ts';
import type { RecipientStatus } from './report/delivery-status.ts';
import type { Feedback } from './report/feedback.ts';
import type { Report } from './report/read-report.ts';

/** What a returned mail says of one recipient, as far as it changes anything. */
export interface News {
  kind: 'failed' | 'delayed' | 'complaint' | 'feedback';
  /** How the report names the recipient, as our addresses are written; none where it does not. */
  addresses: readonly string[];
  /** Such as `5.1.1`. */
  status: string | null;
  /** What a person can read about it. */
  words: string;
  remoteMta: string | null;
  bounce: BounceKind;
  /** Whether it came as reports of servers must, from nobody (RFC 3464 2). */
  fromNobody: boolean;
}

/** Does what news about the mail of an id asks for, once; it is on disk when it answers. */
export type BounceHandler = (id: string, news: News[]) => Promise<void>;

export type BounceHandlers<Kinds extends ReturnKind = ReturnKind> = Record<Kinds, BounceHandler>;

/** A status that leaves everything open, as some servers give for whatever happens. */
const SAYS_NOTHING = /^\d\.0\.0$/;
const CODE_IN_WORDS = /(?<![.\d])([45]\.\d{1,3}\.\d{1,3})(?![.\d])/;
const HOST = /^[\w.:[\]-]{1,255}$/;

/** What a report says that changes something: that mail got through, or that somebody is away, does not. */
export function newsIn(report: Report, fromNobody: boolean): News[] {
  return saidIn(report).map((said) => ({ ...said, addresses: said.addresses.map(asOurs), fromNobody }));
}

type Said = Omit<News, 'fromNobody'>;

function saidIn(report: Report): Said[] {
  if (report.kind === 'delivery-status') return report.recipients.flatMap((recipient) => newsOf(recipient) ?? []);
  return report.kind === 'feedback' ? newsOfFeedback(report.feedback) : [];
}

/** An address as ours are kept: a report may write its domain in other letters. */
function asOurs(address: string): string {
  return parseAddress(address)?.address ?? address;
}

function newsOf(recipient: RecipientStatus): Said | null {
  const { action, diagnostic, remoteMta, finalRecipient, originalRecipient } = recipient;
  if (action !== 'failed' && action !== 'delayed') return null;
  const status = statusOf(recipient);
  return {
    kind: action,
    addresses: [originalRecipient, finalRecipient].filter((address) => address !== null),
    status,
    words: diagnostic ?? status ?? action,
    remoteMta: remoteMta !== null && HOST.test(remoteMta) ? remoteMta : null,
    bounce: action === 'failed' && status !== null ? kindOfCode(status) : 'soft',
  };
}

/** The status; where it leaves everything open, the code in the words of the server that refused the mail. */
function statusOf({ status, diagnostic }: RecipientStatus): string | null {
  if (status !== null && !SAYS_NOTHING.test(status)) return status;
  return CODE_IN_WORDS.exec(diagnostic ?? '')?.[1] ?? status;
}

function newsOfFeedback({ feedbackType, originalRecipients }: Feedback): Said[] {
  const kind = feedbackType === 'abuse' ? 'complaint' : 'feedback';
  const said = { kind, status: null, words: `feedback: ${feedbackType}`, remoteMta: null, bounce: 'soft' } as const;
  return originalRecipients.length === 0
    ? [{ ...said, addresses: [] }]
    : originalRecipients.map((address) => ({ ...said, addresses: [address] }));
}

import { INSTALLATION, type LinkKind } from '../accounts/index.ts';
import { acceptWithin, DEFAULT_HANDLING, type Message } from '../email/index.ts';
import type { Act } from '../platform/act.ts';
import type { Tx } from '../platform/db/database.ts';
import type { DashboardDeps } from './deps.ts';

/** Where a link leads. The token stands behind the #, so that no server log ever sees it. */
export function setupUrl({ publicUrl }: { publicUrl: string }, kind: LinkKind, token: string): string {
  return `${publicUrl}/app/${kind === 'reset' ? 'reset' : 'setup'}#${token}`;
}

interface Letter {
  kind: LinkKind;
  email: string;
  /** Whom they will work for; null for the server itself. */
  customerName: string | null;
  token: string;
}

/** What mail of the product itself needs. */
export type MailDeps = Pick<DashboardDeps, 'acceptMessages' | 'systemFrom' | 'publicUrl'>;
type WithinDeps = Pick<DashboardDeps, 'vault' | 'blobs' | 'clock' | 'systemFrom'>;

/** Mails the link by which somebody sets a password. */
export async function mailSetupLink(deps: MailDeps, act: Act, letter: Letter): Promise<void> {
  const words = WORDS[letter.kind](setupUrl(deps, letter.kind, letter.token), letter.customerName);
  await mailNotice(deps, act, { ...words, email: letter.email });
}

/** The same in the transaction that makes the link. Nothing comes after it there. */
export async function mailSetupLinkWithin(
  tx: Tx,
  deps: WithinDeps & Pick<DashboardDeps, 'publicUrl'>,
  act: Act,
  letter: Letter,
): Promise<void> {
  const words = WORDS[letter.kind](setupUrl(deps, letter.kind, letter.token), letter.customerName);
  await mailNoticeWithin(tx, deps, act, { ...words, email: letter.email });
}

interface Notice {
  email: string;
  subject: string;
  text: string;
}

/** Mails somebody what the product has to say. The installation sends it, so that it stands in no customer's message log. */
export async function mailNotice(deps: MailDeps, act: Act, notice: Notice): Promise<void> {
  const sender = { keyId: null, mode: 'live' } as const;
  await deps.acceptMessages({ ...act, customerId: INSTALLATION }, sender, [messageOf(deps, notice)]);
}

/**
 * The same in a transaction of what it tells of, which wakes delivery once it is over. Nothing comes after it there: the
 * rows of the installation are all that can be seen then.
 */
export async function mailNoticeWithin(tx: Tx, deps: WithinDeps, act: Act, notice: Notice): Promise<void> {
  const messages = [messageOf(deps, notice)];
  await acceptWithin(tx, deps, { ...act, customerId: INSTALLATION }, { mode: 'live', messages });
}

function messageOf({ systemFrom }: Pick<DashboardDeps, 'systemFrom'>, { email, subject, text }: Notice): Message {
  return {
    from: { name: 'Carepost', address: systemFrom },
    replyTo: [],
    subject,
    headers: { 'Auto-Submitted': 'auto-generated' },
    recipients: [{ kind: 'to', name: null, address: email }],
    text,
    html: null,
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false, notice: true },
  };
}

const WORDS: Record<LinkKind, (url: string, customerName: string | null) => { subject: string; text: string }> = {
  invitation: (url, customerName) => ({
    subject: 'You are invited to Carepost',
    text: `You are invited to ${customerName === null ? 'run a Carepost server' : `work with ${customerName} in Carepost`}.

Set your password here within 7 days; the link works once:
${url}

You will then be asked for a second factor: an app on your phone, or a passkey.
If you did not expect this mail, ignore it.
`,
  }),
  reset: (url) => ({
    subject: 'A new password for Carepost',
    text: `Somebody asked for a new password for this address.

Set it here within an hour; the link works once:
${url}

All browsers that are signed in will be signed out. If it was not you, ignore this mail: your password stays as it is.
`,
  }),
};

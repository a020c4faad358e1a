import { type Grant, type GrantNews, INSTALLATION, readContacts, readGrant, recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type MailDeps, mailNotice } from '../account-mail.ts';

interface Deps extends MailDeps {
  db: Database;
  clock: Clock;
}

/** Tells a customer's owners and its security contact of emergency access. Why it was asked for stands in the dashboard. */
export async function mailOfGrant(
  deps: Deps,
  { customerId, grantId, what }: { customerId: number; grantId: string; what: GrantNews },
): Promise<void> {
  const { db, clock } = deps;
  const { grant, contacts } = await db.tenant([INSTALLATION, customerId], async (tx) => ({
    grant: await readGrant(tx, grantId),
    contacts: await readContacts(tx, customerId),
  }));
  if (grant === null) return;
  const act = { actor: { kind: 'worker', id: 'oversight' }, action: 'break-glass.told', requestId: null } as const;
  const words = WORDS[what](grant, `${deps.publicUrl}/app/settings/emergency`);
  for (const email of contacts) await mailNotice(deps, { ...act, customerId: INSTALLATION }, { email, ...words });
  const trace = { target: grantId, details: { what, people: contacts.length } };
  await db.tenant([customerId], (tx) => recordAct(tx, clock, { ...act, customerId }, trace));
}

const WORDS: Record<GrantNews, (grant: Grant, url: string) => { subject: string; text: string }> = {
  asked: ({ customerName, operatorEmail, minutes }, url) => ({
    subject: 'Emergency access is asked for',
    text: `${operatorEmail} runs your Carepost server and asks to read what ${customerName} keeps there, for ${minutes} minutes.

Nothing is open yet. The reason stands here; an owner or admin can approve or refuse it within an hour:
${url}
`,
  }),
  opened: ({ customerName, operatorEmail, expiresAt, openedByKind }, url) => ({
    subject: 'Emergency access is open',
    text: `${operatorEmail} runs your Carepost server and can read what ${customerName} keeps there until ${minuteOf(expiresAt)}.
It was opened by ${openedByKind === null ? 'nobody' : OPENERS[openedByKind]}.

Everything that is read stands in your audit log. See the reason, and end it at any time:
${url}
`,
  }),
  ended: ({ customerName, operatorEmail, endedAt }, url) => ({
    subject: 'Emergency access has ended',
    text: `The emergency access of ${operatorEmail} to what ${customerName} keeps in Carepost ended at ${minuteOf(endedAt)}.

What was read stands in your audit log:
${url}
`,
  }),
};

const OPENERS = {
  operator: 'a second person who runs the server',
  customer: 'an owner or admin of yours',
  code: 'a code from the safe',
} as const;

function minuteOf(moment: Date | null): string {
  return moment === null ? '' : `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

import { INSTALLATION, readContacts } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type MailDeps, mailNotice } from '../account-mail.ts';

/** Tells those who lead a customer, or run the installation, that a review was not signed in time. */
export async function mailOfOverdue(
  deps: MailDeps & { db: Database },
  { id, customerId }: { id: string; customerId: number },
): Promise<void> {
  const contacts = await deps.db.tenant([customerId], (tx) => readContacts(tx, customerId));
  const room = customerId === INSTALLATION ? 'operator' : 'settings';
  const act = { actor: { kind: 'worker', id: 'oversight' }, action: 'review.overdue-told', requestId: null } as const;
  for (const email of contacts)
    await mailNotice(
      deps,
      { ...act, customerId: INSTALLATION },
      {
        email,
        subject: 'A review of activity is overdue',
        text: `Nobody has signed the last review of what was done in Carepost. Look at it and sign it here:

${deps.publicUrl}/app/${room}/reviews/${id}
`,
      },
    );
}

import type { Database } from '../../platform/db/database.ts';
import type { AcceptMessages } from '../submission/accept.ts';
import { DEFAULT_HANDLING, type Message } from '../submission/message.ts';

const WORDS: Record<string, { subject: string; text: string }> = {
  failing: {
    subject: 'A webhook endpoint is failing',
    text: 'has refused an event for three days. Carepost has given that event up, and goes on to send new ones.',
  },
  disabled: {
    subject: 'A webhook endpoint was switched off',
    text: 'has answered that it is gone (410). Carepost sends nothing to it until it is switched on again.',
  },
};

interface Deps {
  /** The database as the worker role. */
  db: Database;
  acceptMessages: AcceptMessages;
  systemFrom: string;
}

/** Tells the owners of an account by mail that an endpoint fails; the mail says which one and nothing of the events. */
export async function tellOwner(
  { db, acceptMessages, systemFrom }: Deps,
  { customerId, endpointId, what }: { customerId: number; endpointId: number; what: string },
): Promise<void> {
  const owners = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('users')
      .select('email')
      .where('customer_id', '=', customerId)
      .where('role', '=', 'owner')
      .where('disabled_at', 'is', null)
      .execute(),
  );
  const words = WORDS[what];
  if (words === undefined) return;
  const act = {
    customerId,
    actor: { kind: 'worker', id: 'webhooks' },
    action: 'webhook.owner-told',
    requestId: null,
  } as const;
  // All of them or none: where that fails the job is done again, for all of them.
  const messages = owners.map(
    ({ email }): Message => ({
      from: { name: 'Carepost', address: systemFrom },
      replyTo: [],
      subject: words.subject,
      headers: {},
      recipients: [{ kind: 'to', name: null, address: email }],
      text: `Webhook endpoint ${endpointId} ${words.text}\n\nNothing is lost: the events can be read and sent again.\n`,
      html: null,
      attachments: [],
      handling: DEFAULT_HANDLING,
    }),
  );
  if (messages.length > 0) await acceptMessages(act, { keyId: null, mode: 'live' }, messages);
}

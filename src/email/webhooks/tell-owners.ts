import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { acceptWithin } from '../submission/accept.ts';
import { DEFAULT_HANDLING, type Message } from '../submission/message.ts';
import type { WebhookLease } from './lease.ts';
import '../tables.ts';

/** The side job that tells the owners of an account what became of an endpoint. */
export const TELL_OWNERS = 'webhook.tell-owner';

const WORDS = {
  failing: {
    subject: 'A webhook endpoint is failing',
    text: 'has refused an event for three days. Carepost has given that event up, and goes on to send new ones.',
  },
  disabled: {
    subject: 'A webhook endpoint was switched off',
    text: 'has answered that it is gone (410). Carepost sends nothing to it until it is switched on again.',
  },
};

type What = keyof typeof WORDS;

/** What became of an endpoint, and by which attempt. */
type News = { customerId: number; endpointId: number; deliveryId: string; attempt: number; what: What };

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  systemFrom: string;
}

/** Has the owners told what an attempt came to. */
export async function askToTellOwners(tx: Tx, lease: WebhookLease, what: What): Promise<void> {
  const { customer_id: customerId, endpoint_id: endpointId, id: deliveryId, attempts: attempt } = lease;
  const news: News = { customerId, endpointId, deliveryId, attempt, what };
  await enqueueJob(tx, TELL_OWNERS, news, `${TELL_OWNERS}/${deliveryId}/${attempt}`);
}

/**
 * Tells the owners of an account by mail that an endpoint fails; the mail says which one and nothing of the events. That they
 * were told is written with the mails, so that a job which is done again, or by two workers at once, tells nobody twice.
 */
export async function tellOwners({ db, systemFrom, ...deps }: Deps, news: News): Promise<void> {
  const { customerId } = news;
  const act = {
    customerId,
    actor: { kind: 'worker', id: 'webhooks' },
    action: 'webhook.owner-told',
    requestId: null,
  } as const;
  await db.tenant([customerId], async (tx) => {
    if (!(await markTold(tx, deps.clock, news))) return;
    const owners = await tx
      .selectFrom('users')
      .select('email')
      .where('customer_id', '=', customerId)
      .where('role', '=', 'owner')
      .where('disabled_at', 'is', null)
      .execute();
    const messages = owners.map(({ email }) => mailTo(email, systemFrom, news));
    if (messages.length > 0) await acceptWithin(tx, deps, act, { mode: 'live', messages });
  });
}

/** Answers whether nobody was told before. */
async function markTold(tx: Tx, clock: Clock, { customerId, deliveryId, attempt }: News): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_attempts')
    .set({ owners_told_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('delivery_id', '=', deliveryId)
    .where('attempt', '=', attempt)
    .where('owners_told_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function mailTo(address: string, systemFrom: string, { endpointId, what }: News): Message {
  const { subject, text } = WORDS[what];
  return {
    from: { name: 'Carepost', address: systemFrom },
    replyTo: [],
    subject,
    headers: {},
    recipients: [{ kind: 'to', name: null, address }],
    text: `Webhook endpoint ${endpointId} ${text}\n\nNothing is lost: the events can be read and sent again.\n`,
    html: null,
    attachments: [],
    handling: DEFAULT_HANDLING,
  };
}

import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret, type RandomBytes } from '../../platform/secret.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { composeMime, type Mime } from '../delivery/writing/compose.ts';
import type { Recipient } from '../submission/message.ts';
import type { Envelope } from '../submission/sealed-message.ts';
import { noticeContent } from './notice-content.ts';
import { DAY_MS, KEPT_DAYS } from './rules.ts';
import '../tables.ts';

/** One recipient of a message that may not leave as content. */
export interface Noticed {
  customerId: number;
  messageId: string;
  ordinal: number;
  envelope: Envelope;
}

export interface Notices {
  /**
   * The mail that leads a recipient to the pickup page. Asked for again it has the same link and the same Message-ID,
   * so that a notice whose arrival is in doubt can be sent a second time.
   */
  noticeFor(noticed: Noticed): Promise<Mime>;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  clock: Clock;
  publicUrl: string;
  random?: RandomBytes;
}

/** Builds what writes notices. They name the sender's address, as its name is free text, and hold nothing of the message. */
export function createNotices(deps: Deps): Notices {
  return {
    async noticeFor(noticed) {
      const { customerId, envelope, ordinal } = noticed;
      const keys = await deps.vault.of(customerId);
      const pickup = await deps.db.tenant(
        [customerId],
        async (tx) => (await findPickup(tx, noticed)) ?? makePickup(tx, deps, keys, noticed),
      );
      const token = keys.open(placeOf(pickup.id), pickup.sealed).toString();
      const { address } = envelope.recipients[ordinal] as Recipient;
      return composeMime({
        id: pickup.id,
        createdAt: pickup.created_at,
        envelope: {
          from: { name: null, address: envelope.from.address },
          replyTo: [],
          subject: 'You have a secure message',
          headers: { 'Auto-Submitted': 'auto-generated' },
          recipients: [{ kind: 'to', name: null, address }],
          handling: envelope.handling,
        },
        content: noticeContent({
          from: envelope.from.address,
          link: `${deps.publicUrl}/pickup/${token}`,
          until: pickup.expires_at,
        }),
      });
    },
  };
}

async function findPickup(tx: Tx, { customerId, messageId, ordinal }: Noticed) {
  return tx
    .selectFrom('pickups')
    .select(['id', 'sealed', 'created_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('message_id', '=', messageId)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
}

/** Another node may make one at the same moment; the first one stays. */
async function makePickup(tx: Tx, { clock, random }: Deps, keys: CustomerVault, noticed: Noticed) {
  const { customerId, messageId, ordinal } = noticed;
  const now = clock.now();
  const id = timeOrderedId(clock);
  const token = newSecret(random);
  const pickup = {
    id,
    sealed: keys.seal(placeOf(id), token),
    created_at: now,
    expires_at: new Date(now.getTime() + KEPT_DAYS * DAY_MS),
  };
  const made = await tx
    .insertInto('pickups')
    .values({
      ...pickup,
      customer_id: customerId,
      message_id: messageId,
      ordinal,
      token_hash: hashSecret(token) as Buffer,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'ordinal']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return (await findPickup(tx, noticed)) as typeof pickup;
  const actor = { kind: 'worker', id: 'delivery' } as const;
  const act = { customerId, actor, action: 'pickup.made', requestId: null };
  await recordAct(tx, clock, act, { target: messageId, details: { recipient: ordinal, pickup: id } });
  return pickup;
}

function placeOf(id: string) {
  return { table: 'pickups', row: id, column: 'sealed' };
}

import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Effect } from './effect.ts';
import type { News } from './news.ts';
import '../tables.ts';

/** A report on one recipient of a message, as it is kept. */
export interface MessageReport {
  ordinal: number;
  kind: News['kind'];
  effect: Effect;
  status: string | null;
  words: string;
  remoteMta: string | null;
  receivedAt: Date;
}

interface Place {
  messageId: string;
  ordinal: number;
  kind: News['kind'];
  effect: Effect;
}

/** Keeps what was reported; answers whether it is new. */
export async function keepReport(
  tx: Tx,
  keys: CustomerVault,
  { customerId, ...place }: Place & { customerId: number },
  { status, words, remoteMta }: News,
  at: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('message_reports')
    .values({
      message_id: place.messageId,
      ordinal: place.ordinal,
      kind: place.kind,
      effect: place.effect,
      customer_id: customerId,
      status,
      remote_mta: remoteMta,
      sealed: keys.seal(sealedAt(place), words),
      received_at: at,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'ordinal', 'kind', 'effect']).doNothing())
    .returning('ordinal')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Everything that was reported on a message, the oldest first. */
export async function readReports(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  messageId: string,
): Promise<MessageReport[]> {
  const rows = await tx
    .selectFrom('message_reports')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('message_id', '=', messageId)
    .orderBy('received_at')
    .orderBy('ordinal')
    .execute();
  return rows.map(({ ordinal, kind, effect, status, sealed, remote_mta: remoteMta, received_at: receivedAt }) => ({
    ordinal,
    kind,
    effect,
    status,
    words: keys.open(sealedAt({ messageId, ordinal, kind, effect }), sealed).toString(),
    remoteMta,
    receivedAt,
  }));
}

function sealedAt({ messageId, ordinal, kind, effect }: Place) {
  return { table: 'message_reports', row: `${messageId}/${ordinal}/${kind}/${effect}`, column: 'sealed' };
}

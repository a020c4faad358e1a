import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { describeEvent, type EventBody } from './payload.ts';
import '../tables.ts';

export interface EventPage {
  data: EventBody[];
  /** The number to go on after. */
  next: number;
}

/** The events of a customer after a number, in order. */
export async function listEvents(
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
  act: Act,
  { after, limit }: { after: number; limit: number },
): Promise<EventPage> {
  const rows = await db.tenant([act.customerId], async (tx) => {
    const found = await tx
      .selectFrom('message_events as e')
      .innerJoin('messages as m', (join) =>
        join.onRef('m.id', '=', 'e.message_id').onRef('m.customer_id', '=', 'e.customer_id'),
      )
      .select(['e.message_id', 'e.ordinal', 'e.number', 'e.name', 'e.at', 'e.uncertain', 'm.envelope'])
      .where('e.customer_id', '=', act.customerId)
      .where('e.number', '>', after)
      .orderBy('e.number')
      .limit(limit)
      .execute();
    const messages = [...new Set(found.map((row) => row.message_id))];
    await recordAct(tx, clock, act, { details: { after, events: found.length, messages } });
    return found;
  });
  const keys = await vault.of(act.customerId);
  const data = rows.map(({ message_id: messageId, envelope, ...event }) =>
    describeEvent({ ...event, messageId }, openEnvelope(keys, messageId, envelope)),
  );
  return { data, next: rows.at(-1)?.number ?? after };
}

import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { OPENED } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import { keysIfAny } from '../evidence/record.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { readLinks } from './links.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Counts an opening; the first by a person is an event. */
export async function recordOpen(deps: Deps, messageId: string, byMachine: boolean): Promise<void> {
  await ofMessage(deps, messageId, (tx, { customerId }) =>
    countOpen(tx, deps.clock, { customerId, messageId, byMachine }),
  );
}

/** The same within a transaction. */
export async function countOpen(
  tx: Tx,
  clock: Clock,
  { customerId, messageId, byMachine }: { customerId: number; messageId: string; byMachine: boolean },
): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ opens: number }>`
    insert into message_engagement as e (message_id, customer_id, opens, machine_opens, first_opened_at)
    values (${messageId}, ${customerId}, ${byMachine ? 0 : 1}, ${byMachine ? 1 : 0}, ${byMachine ? null : now})
    on conflict (message_id) do update set opens = e.opens + excluded.opens,
      machine_opens = e.machine_opens + excluded.machine_opens,
      first_opened_at = coalesce(e.first_opened_at, excluded.first_opened_at)
    returning opens`.execute(tx);
  if (byMachine || rows[0]?.opens !== 1) return;
  await recordEvents(tx, clock, [{ customerId, messageId, ordinal: 0, name: OPENED, at: now }]);
}

/** Counts a click and answers where it leads, or null where nothing is known of it. */
export async function recordClick(
  deps: Deps,
  { messageId, number }: { messageId: string; number: number },
  byMachine: boolean,
): Promise<string | null> {
  return ofMessage(deps, messageId, async (tx, { customerId, keys }) => {
    const targets = await readLinks(tx, keys, customerId, messageId);
    const target = targets[number];
    if (target === undefined) return null;
    await sql`
      insert into message_engagement as e (message_id, customer_id, clicks, machine_clicks)
      values (${messageId}, ${customerId}, ${byMachine ? 0 : 1}, ${byMachine ? 1 : 0})
      on conflict (message_id) do update set clicks = e.clicks + excluded.clicks,
        machine_clicks = e.machine_clicks + excluded.machine_clicks`.execute(tx);
    if (byMachine) return target;
    await sql`
      insert into link_clicks as c (message_id, link, customer_id, clicks)
      values (${messageId}, ${number}, ${customerId}, 1)
      on conflict (message_id, link) do update set clicks = c.clicks + 1`.execute(tx);
    return target;
  });
}

/** Notes that the recipient wants no more of this, and answers the sender's own page for it, if there is one. */
export async function recordUnsubscribe(
  deps: Deps,
  messageId: string,
): Promise<{ unsubscribeUrl: string | null } | null> {
  return ofMessage(deps, messageId, async (tx, { customerId, keys }) => {
    const now = deps.clock.now();
    await sql`
      insert into message_engagement as e (message_id, customer_id, unsubscribed_at)
      values (${messageId}, ${customerId}, ${now})
      on conflict (message_id) do update set unsubscribed_at = coalesce(e.unsubscribed_at, excluded.unsubscribed_at)`.execute(
      tx,
    );
    const { envelope } = await tx
      .selectFrom('messages')
      .select('envelope')
      .where('customer_id', '=', customerId)
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow();
    const { handling } = openEnvelope(keys, messageId, envelope);
    return { unsubscribeUrl: handling.unsubscribeUrl };
  });
}

/**
 * Runs work for the customer whose message it is, with their keys, which are taken first as they may need a connection of
 * their own; null where the message is no longer known.
 */
async function ofMessage<T>(
  { db, vault }: Deps,
  messageId: string,
  work: (tx: Tx, owner: { customerId: number; keys: CustomerVault }) => Promise<T>,
): Promise<T | null> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ owner: number | null }>`select find_message_customer(${messageId}) as owner`.execute(tx),
  );
  const customerId = rows[0]?.owner ?? null;
  const keys = customerId === null ? null : await keysIfAny(vault, customerId);
  return customerId === null || keys === null ? null : db.tenant([customerId], (tx) => work(tx, { customerId, keys }));
}

import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { PERMANENT_FAILURE, TEMPORARY_FAILURE } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import { keysIfAny } from '../evidence/record.ts';
import { addressKey } from '../submission/address.ts';
import { type Envelope, openEnvelope } from '../submission/sealed-message.ts';
import type { Reason } from '../suppressions/reason.ts';
import { suppress } from '../suppressions/suppress.ts';
import { effectOf } from './effect.ts';
import { keepReport } from './message-reports.ts';
import type { BounceHandlers, News } from './news.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** What comes back about messages of the Email area. */
export function messageBounces(deps: Deps): BounceHandlers<'bounce'> {
  return { bounce: (id, news) => ofMessage(deps, id, (message) => takeNews(deps.clock, message, news)) };
}

interface Returned {
  tx: Tx;
  keys: CustomerVault;
  customerId: number;
  messageId: string;
  recipients: Envelope['recipients'];
}

/** Runs work on a message in one transaction; where nothing is kept of it any more there is nothing to do. */
async function ofMessage(
  { db, vault }: Deps,
  messageId: string,
  work: (message: Returned) => Promise<void>,
): Promise<void> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ owner: number | null }>`select find_message_customer(${messageId}) as owner`.execute(tx),
  );
  const customerId = rows[0]?.owner ?? null;
  if (customerId === null) return;
  const keys = await keysIfAny(vault, customerId);
  if (keys === null) return;
  await db.tenant([customerId], async (tx) => {
    const row = await tx
      .selectFrom('messages')
      .select('envelope')
      .where('customer_id', '=', customerId)
      .where('id', '=', messageId)
      .executeTakeFirst();
    if (row === undefined) return;
    const { recipients } = openEnvelope(keys, messageId, row.envelope);
    await work({ tx, keys, customerId, messageId, recipients });
  });
}

/** In the order of the recipients, so that two reports on one message do not wait for each other. */
async function takeNews(clock: Clock, message: Returned, news: News[]): Promise<void> {
  const placed = news.flatMap((each) => ordinalsOf(message, each).map((ordinal) => ({ ordinal, each })));
  for (const { ordinal, each } of placed.toSorted((one, other) => one.ordinal - other.ordinal)) {
    await takeOne(clock, message, ordinal, each);
  }
}

/** Whom news is about: the recipients with that address; of a message to one, that one, however the report names them. */
function ordinalsOf({ recipients }: Returned, { addresses }: News): number[] {
  if (recipients.length === 1) return [0];
  const keys = new Set(addresses.map(addressKey));
  return recipients.flatMap(({ address }, ordinal) => (keys.has(addressKey(address)) ? [ordinal] : []));
}

async function takeOne(clock: Clock, message: Returned, ordinal: number, news: News): Promise<void> {
  const { tx, keys, customerId, messageId } = message;
  const { kind, status } = news;
  const at = clock.now();
  const effect = await effectOf(tx, { customerId, messageId, ordinal }, news, at);
  if (!(await keepReport(tx, keys, { customerId, messageId, ordinal, kind, effect }, news, at))) return;
  const suppressed = effect === 'none' ? null : await carryOut(clock, message, ordinal, news);
  const act = {
    customerId,
    actor: { kind: 'public', id: messageId },
    action: 'message.reported',
    requestId: null,
  } as const;
  const details = { recipient: ordinal, kind, effect, status: status ?? '', suppressed: suppressed ?? '' };
  await recordAct(tx, clock, act, { target: messageId, details });
}

/** Does what a report asks for; answers the reason for which the address gets nothing more, if it is so. */
async function carryOut(clock: Clock, message: Returned, ordinal: number, news: News): Promise<Reason | null> {
  const { tx, keys, customerId, messageId } = message;
  const at = clock.now();
  const tell = (name: string) => recordEvents(tx, clock, [{ customerId, messageId, ordinal, name, at }]);
  if (news.kind === 'delayed') await tell(TEMPORARY_FAILURE);
  if (news.kind === 'failed' && (await endAsBounced(message, ordinal, at))) await tell(PERMANENT_FAILURE);
  const reason = reasonToSuppress(message, ordinal, news);
  const address = message.recipients[ordinal]?.address ?? '';
  if (reason !== null) await suppress(tx, keys, { customerId, address, reason, messageId, at });
  return reason;
}

/** Whether a recipient was not yet given up, and now is. */
async function endAsBounced({ tx, customerId, messageId }: Returned, ordinal: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update message_recipients set state = 'bounced', due_at = null, parked = false, settled_at = ${at}
    where customer_id = ${customerId} and message_id = ${messageId} and ordinal = ${ordinal}
      and state in ('queued', 'noticed', 'delivered') and not (state = 'delivered' and portal)
    returning ordinal`.execute(tx);
  return rows.length > 0;
}

/**
 * An address that a report does not name may have forwarded the mail: that one elsewhere fails says nothing of it. Of
 * several recipients one may speak of another, so that only what comes as from a server is believed there.
 */
function reasonToSuppress(
  { recipients }: Returned,
  ordinal: number,
  { kind, bounce, addresses, fromNobody }: News,
): Reason | null {
  if (recipients.length > 1 && !fromNobody) return null;
  if (kind === 'complaint') return 'complaint';
  const key = addressKey(recipients[ordinal]?.address ?? '');
  const isMeant = addresses.length === 0 || addresses.some((address) => addressKey(address) === key);
  return kind === 'failed' && bounce === 'hard' && isMeant ? 'hard_bounce' : null;
}

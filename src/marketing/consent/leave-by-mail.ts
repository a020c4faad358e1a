import { addressKey, type LinkTokens } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { recordLeaving } from '../tracking/engagement.ts';
import { ofRecipient, type Recipient } from '../tracking/recipient.ts';
import { leaveForGood } from './change.ts';
import { optOutReader } from './opt-out.ts';
import type { PreferencesLink } from './preferences.ts';
import { findReader, type Reader } from './reader.ts';
import { senderName } from './sender-name.ts';
import type { WayOut } from './way-out.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  tokens: LinkTokens;
}

/** What the way out of a mail leads to; null where nothing is kept that tells whom it went to. */
export async function readWayOut(deps: Deps, id: string): Promise<WayOut | null> {
  return ofRecipient(deps, id, async (tx, recipient, keys) => {
    const reader = await findReader(tx, keys, recipient);
    return reader === null ? null : describe(deps, tx, recipient, reader, await listToLeave(tx, recipient, reader));
  });
}

/**
 * Lets the recipient of a mail leave its list, or everything where it went to no list that is still there. Null where
 * nothing is kept that tells who they are.
 */
export async function leaveByMail(
  deps: Deps,
  id: string,
  { what, how }: { what: 'list' | 'everything'; how: 'one-click' | 'page' },
): Promise<WayOut | null> {
  return ofRecipient(deps, id, async (tx, recipient, keys) => {
    const { customerId, mailingId, sendId } = recipient;
    const reader = await findReader(tx, keys, recipient);
    if (reader === null) return null;
    const list = what === 'everything' ? null : await listToLeave(tx, recipient, reader);
    const details = { mailing: mailingId, send: sendId, how };
    const evidence = { source: 'link', details, at: deps.clock.now() } as const;
    if (list === null) await optOutReader(tx, keys, { ...reader, customerId, messageId: id }, evidence);
    else await leaveForGood(tx, deps.clock, { customerId, people: reader.people, listId: list.id }, evidence);
    const done = await describe(deps, tx, recipient, reader, list);
    await recordLeaving(tx, deps.clock, recipient, list === null ? 'everything' : 'list');
    return done;
  });
}

interface List {
  id: number;
  name: string;
}

/** The list that a mail went to; null where it went to a segment or to addresses, or the list is gone. */
async function findList(tx: Tx, { customerId, sendId }: Recipient): Promise<List | null> {
  const row = await tx
    .selectFrom('campaign_mailing_sends as s')
    .innerJoin('subscription_lists as l', (join) =>
      join.onRef('l.customer_id', '=', 's.customer_id').onRef('l.id', '=', 's.subscription_list_id'),
    )
    .select(['l.id', 'l.name'])
    .where('s.customer_id', '=', customerId)
    .where('s.id', '=', sendId)
    .where('s.segment_id', 'is', null)
    .where('s.subscriber_ids', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** With nobody on it a list cannot be left, only everything. */
async function listToLeave(tx: Tx, recipient: Recipient, { people }: Reader): Promise<List | null> {
  return people.length === 0 ? null : findList(tx, recipient);
}

async function describe(
  { tokens }: Deps,
  tx: Tx,
  { customerId }: Recipient,
  reader: Reader,
  list: List | null,
): Promise<WayOut> {
  const link = await preferencesLink(tx, customerId, reader);
  return {
    sender: await senderName(tx, customerId),
    list: list?.name ?? null,
    preferences: link === null ? null : tokens.make({ kind: 'preferences', ...link }),
  };
}

/**
 * The link to what a reader gets; null where the mail went to an address that is theirs no more. Where nothing tells where it
 * went, the link is as good as one to the first address that they had.
 */
async function preferencesLink(
  tx: Tx,
  customerId: number,
  { people: [id], address }: Reader,
): Promise<PreferencesLink | null> {
  if (id === undefined) return null;
  if (address === null) return { id, number: 0 };
  const person = await tx
    .selectFrom('subscribers')
    .select(['email', 'address_changes'])
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst();
  const isTheirs = person !== undefined && addressKey(person.email ?? '') === addressKey(address);
  return isTheirs ? { id, number: person.address_changes } : null;
}

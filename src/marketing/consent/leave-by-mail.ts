import type { LinkTokens } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { recordLeaving } from '../tracking/engagement.ts';
import { ofRecipient, type Recipient } from '../tracking/recipient.ts';
import { leaveLists } from './change.ts';
import { optOutPeople } from './opt-out.ts';
import { senderName } from './sender-name.ts';
import type { WayOut } from './way-out.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  tokens: LinkTokens;
}

/** What the way out of a mail leads to; null where nothing is kept of that mail. */
export async function readWayOut(deps: Deps, id: string): Promise<WayOut | null> {
  return ofRecipient(deps.db, id, async (tx, recipient) =>
    describe(deps, tx, recipient, await findList(tx, recipient)),
  );
}

/** Lets the recipient of a mail leave its list, or everything where it went to no list that is still there. */
export async function leaveByMail(
  deps: Deps,
  id: string,
  { what, how }: { what: 'list' | 'everything'; how: 'one-click' | 'page' },
): Promise<WayOut | null> {
  return ofRecipient(deps.db, id, async (tx, recipient) => {
    const { customerId, subscriberId, mailingId, sendId } = recipient;
    const list = what === 'everything' ? null : await findList(tx, recipient);
    const person = { customerId, people: [subscriberId] };
    const details = { mailing: mailingId, send: sendId, how };
    const evidence = { source: 'link', details, at: deps.clock.now() } as const;
    if (list === null) await optOutPeople(tx, await deps.vault.of(customerId), person, evidence, id);
    else await leaveLists(tx, { ...person, lists: [list.id] }, evidence);
    const done = await describe(deps, tx, recipient, list);
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

async function describe(
  { tokens }: Deps,
  tx: Tx,
  { customerId, subscriberId }: Recipient,
  list: List | null,
): Promise<WayOut> {
  const person = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .executeTakeFirst();
  return {
    sender: await senderName(tx, customerId),
    list: list?.name ?? null,
    preferences: person === undefined ? null : tokens.make({ kind: 'preferences', id: subscriberId, number: 0 }),
  };
}

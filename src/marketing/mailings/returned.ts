import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import {
  addressKey,
  type BounceHandlers,
  lastRecipientOf,
  type News,
  REPORTS_COUNT_MS,
  suppressMany,
} from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { ofRecipient, type Recipient } from '../tracking/recipient.ts';
import { holdUndecided } from './sending/hold-undecided.ts';
import { sealReply } from './sending/settle.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** What comes back about mailings. Drips hear of it by the suppression. */
export function mailingBounces(deps: Deps): BounceHandlers<'mailing-bounce'> {
  return {
    'mailing-bounce': async (id, news) => {
      await ofRecipient(deps, id, async (tx, recipient, keys) => {
        for (const each of news) await takeNews({ tx, keys, clock: deps.clock }, recipient, each);
      });
    },
  };
}

interface Taking {
  tx: Tx;
  keys: CustomerVault;
  clock: Clock;
}

async function takeNews({ tx, keys, clock }: Taking, recipient: Recipient, news: News): Promise<void> {
  const { id, customerId } = recipient;
  const { kind, bounce, words, fromNobody } = news;
  const at = clock.now();
  const rule = bounce === 'hard' ? 'hard_bounce' : 'soft_bounce';
  const changed =
    kind === 'failed' &&
    fromNobody &&
    (await endAsBounced(tx, recipient, { rule, reply: sealReply(keys, id, words), at }));
  const complained = kind === 'complaint' && (await noteComplaint(tx, recipient));
  const reason = complained ? 'complaint' : changed && rule === 'hard_bounce' ? rule : null;
  const addresses = reason === null ? [] : await addressOf(tx, keys, recipient, news);
  if (reason !== null) await suppressMany(tx, keys, { customerId, addresses, reason, messageId: id, at });
  if (!changed && addresses.length === 0) return;
  const act = { customerId, actor: { kind: 'public', id }, action: 'mailing.reported', requestId: null } as const;
  const details = { kind, status: news.status ?? '', suppressed: addresses.length > 0 ? (reason ?? '') : '' };
  await recordAct(tx, clock, act, { target: id, details });
}

/** Whether this is the first complaint about a mail: an old one does not bring back what was removed. */
async function noteComplaint(tx: Tx, { id, customerId }: Recipient): Promise<boolean> {
  const { rows } = await sql`update mailing_recipients set complained = true
    where customer_id = ${customerId} and id = ${id} and not complained returning id`.execute(tx);
  return rows.length > 0;
}

/**
 * Ends somebody's mail as bounced and moves it from one count of its send to the other; answers whether it was not
 * already over, or only by a soft bounce before a hard one. Where nobody knew whether it had arrived, the send has one
 * thing less to be decided on. A report that comes late changes nothing.
 */
async function endAsBounced(
  tx: Tx,
  { id, customerId, sendId }: Recipient,
  { rule, reply, at }: { rule: string; reply: string; at: Date },
): Promise<boolean> {
  await holdUndecided(tx, { customerId, sendId });
  const { rows } = await sql<{ was: string }>`
    with known as (
      select id, state from mailing_recipients where customer_id = ${customerId} and id = ${id}
        and (state in ('sending', 'deferred', 'uncertain', 'sent', 'delivered')
          or state = 'bounced' and rule = 'soft_bounce' and ${rule} = 'hard_bounce')
        and coalesce(settled_at, first_tried_at, ${at}) >= ${new Date(at.getTime() - REPORTS_COUNT_MS)}
      for update
    )
    update mailing_recipients r set state = 'bounced', rule = ${rule}, reply = ${reply}::bytea, due_at = null,
      settled_at = ${at}
    from known where r.customer_id = ${customerId} and r.id = known.id
    returning known.state as was`.execute(tx);
  const was = rows[0]?.was;
  if (was === undefined) return false;
  const one = (state: string) => Number(was === state);
  if (was === 'uncertain') {
    await sql`update campaign_mailing_sends set state = 'sending' where customer_id = ${customerId} and id = ${sendId}
      and state = 'needs_decision'`.execute(tx);
  }
  await sql`
    update send_counts set sent = sent - ${one('sent')}, delivered = delivered - ${one('delivered')},
      uncertain = uncertain - ${one('uncertain')}, hard_bounced = hard_bounced + ${Number(rule === 'hard_bounce')},
      soft_bounced = soft_bounced - ${one('bounced')} + ${Number(rule === 'soft_bounce')}
    where customer_id = ${customerId} and send_id = ${sendId}`.execute(tx);
  return true;
}

/**
 * The address that the person has now or, where they were deleted, that the mail went to; unless a bounce is about another
 * one: they changed it, or it was forwarded.
 */
async function addressOf(
  tx: Tx,
  keys: CustomerVault,
  { id, customerId, subscriberId }: Recipient,
  { kind, addresses }: News,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select email from subscribers
    where customer_id = ${customerId} and id = ${subscriberId} and email is not null`.execute(tx);
  const email = rows[0]?.email ?? (await lastRecipientOf(tx, keys, customerId, id));
  const named = new Set(addresses.map(addressKey));
  const isMeant = email !== null && (kind === 'complaint' || named.size === 0 || named.has(addressKey(email)));
  return isMeant ? [email] : [];
}

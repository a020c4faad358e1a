import { recordAct } from '../../../accounts/index.ts';
import { parseAddress, type SenderRule, suppressedAmong } from '../../../email/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { timeOrderedId, unguessableId } from '../../../platform/ids.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { requireOwnList } from '../../lists/require-own-list.ts';
import { findSegment } from '../../segments/segment.ts';
import { readListId } from '../../subscribers/read-subscriber.ts';
import { findSubscribersAt } from '../../subscribers/subscribers-at.ts';
import { findMailing } from '../mailing.ts';
import { prepareNow } from '../prepare-now.ts';
import type { SendWish } from './read-send.ts';
import { readTracking } from './tracking.ts';
import '../../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
  requireOwn: OwnershipCheck;
  mode: 'live' | 'test';
  senderRule: SenderRule;
}

/** Begins a send at a moment, with the version that the mailing has now; answers the id of its job. */
export async function startSend(
  tx: Tx,
  { clock, keys, act, requireOwn, mode, senderRule }: Deps,
  { mailingId, wish, sendAt }: { mailingId: number; wish: SendWish; sendAt: Date },
): Promise<string> {
  const { customerId } = act;
  const mailing = await findMailing(tx, requireOwn, customerId, mailingId, 'campaign_mailing_id');
  const named = mailing.from_address === null ? null : parseAddress(mailing.from_address);
  const refusal = await senderRule.refusal(tx, customerId, mode, wish.from.address);
  if (refusal !== null) throw unfit(wish.from.field, refusal);
  const prepared = await prepareNow(tx, customerId, mailing, wish.subject);
  if (prepared === null) throw unfit('campaign_mailing_id', 'the mailing says nothing yet');
  const audience = await findAudience(tx, { clock, keys, requireOwn }, customerId, wish);
  const now = clock.now();
  const jid = unguessableId();
  const { id } = await tx
    .insertInto('campaign_mailing_sends')
    .values({
      jid,
      customer_id: customerId,
      mailing_id: mailing.id,
      version: mailing.version,
      state: 'scheduled',
      mode,
      ...audience,
      sender_email: wish.from.address,
      from_name: wish.fromName ?? named?.name ?? null,
      reply_to: mailing.reply_to,
      subject: wish.subject,
      per_second: wish.perSecond,
      per_domain_per_minute: wish.perDomainPerMinute,
      ...(await readTracking(tx, customerId)),
      send_window: wish.window === null ? null : JSON.stringify(wish.window),
      send_at: sendAt,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.insertInto('send_counts').values({ send_id: id, customer_id: customerId }).execute();
  await recordAct(tx, clock, act, {
    target: String(id),
    details: { mailing: String(mailing.id), version: mailing.version },
  });
  return jid;
}

/** Whom a send is meant for; a segment is taken as it is defined at this moment. */
async function findAudience(
  tx: Tx,
  { clock, keys, requireOwn }: Pick<Deps, 'clock' | 'keys' | 'requireOwn'>,
  customerId: number,
  { listId: wireListId, segmentId, addresses }: SendWish,
) {
  const listId = readListId(wireListId);
  if (listId !== null) await requireOwnList(tx, requireOwn, customerId, listId);
  const segment =
    segmentId === null ? null : await findSegment(tx, requireOwn, customerId, segmentId, 'dynamic_list_id');
  if (listId === null && segment === null && addresses === null) {
    throw unfit('subscription_list_id', 'is required, or dynamic_list_id, or recipient_emails');
  }
  const nobody = { subscription_list_id: null, segment_id: null, filters: null, subscriber_ids: null };
  // Clients name a list beside the addresses; the addresses are who is meant.
  if (addresses !== null)
    return { ...nobody, subscriber_ids: await peopleAt(tx, { clock, keys }, customerId, addresses) };
  const filters = segment === null ? null : JSON.stringify(segment.filters);
  return { ...nobody, subscription_list_id: listId, segment_id: segment?.id ?? null, filters };
}

/** The people at these addresses; who is not known yet becomes known, as opted out if they had, and joins no list. */
async function peopleAt(
  tx: Tx,
  { clock, keys }: Pick<Deps, 'clock' | 'keys'>,
  customerId: number,
  addresses: readonly string[],
): Promise<string[]> {
  const now = clock.now();
  const optedOut = await suppressedAmong(tx, keys, customerId, addresses, ['opt_out']);
  await tx
    .insertInto('subscribers')
    .values(
      addresses.toSorted().map((email) => ({
        id: timeOrderedId(clock),
        customer_id: customerId,
        email,
        phone_number: null,
        first_name: null,
        last_name: null,
        unsubscribed_at: optedOut.has(email) ? now : null,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return findSubscribersAt(tx, customerId, addresses);
}

function unfit(name: string, rule: string): AppError {
  const field = name === 'campaign_mailing_id' ? name : `campaign_mailing_send.${name}`;
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}

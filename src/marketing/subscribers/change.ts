import { recordAct, requireNoHoldOn } from '../../accounts/index.ts';
import { ADDRESS_COLUMN, addressKey } from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { violatedConstraint } from '../../platform/db/failure.ts';
import { AppError } from '../../platform/errors.ts';
import { refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { askAnew } from '../consent/ask-anew.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { hasOptedOut, optOutPeople } from '../consent/opt-out.ts';
import { setFields } from '../fields/set-fields.ts';
import { noSuchSubscriber } from './find-subscriber.ts';
import type { SubscriberChange } from './read-subscriber.ts';
import { refusedAt } from './refused-at.ts';
import { type Subscriber, selectSubscribers } from './subscriber.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
}

/**
 * Changes what is known of somebody; a new address confirms for itself what the old one had not confirmed, and one that has
 * opted out stays out. Throws where a legal hold on them would lose them by it, and where they are no longer what was read.
 */
export async function changeSubscriber(
  tx: Tx,
  { clock, keys, act }: Deps,
  id: string,
  { customFields, if_updated_at, ...change }: SubscriberChange & { if_updated_at: string | null },
): Promise<Subscriber> {
  const { customerId } = act;
  const before = await selectSubscribers(tx, customerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (before === undefined) throw noSuchSubscriber(); // deleted since they were found
  refuseOvertaken({ if_updated_at }, before.updated_at);
  const after = { ...before, ...change };
  if (after.email === null && after.phone_number === null) {
    throw new AppError('unprocessable', 'subscriber.email is required, or phone_number', {
      fields: { 'subscriber.email': ['is required, or phone_number'] },
    });
  }
  const isMoved = after.email?.toLowerCase() !== before.email?.toLowerCase();
  if (isMoved && before.email !== null) {
    await requireNoHoldOn(tx, customerId, keys.blindIndex(ADDRESS_COLUMN, addressKey(before.email)));
  }
  const isOut = isMoved && before.unsubscribed_at === null && (await hasOptedOut(tx, keys, customerId, after));
  await tx
    .updateTable('subscribers')
    .set({ ...change, updated_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken);
  await setFields(tx, { clock, keys }, { customerId, subscriberId: id }, customFields).catch(refusedAt('subscriber'));
  if (isOut) await optOutPeople(tx, keys, { customerId, people: [id] }, evidenceOf(clock, act));
  if (isMoved) await askAnew(tx, customerId, id);
  await recordAct(tx, clock, act, { target: id, details: { changed: Object.keys(change) } });
  return selectSubscribers(tx, customerId).where('id', '=', id).executeTakeFirstOrThrow();
}

function refuseTaken(error: unknown): never {
  const taken = { subscribers_email: 'subscriber.email', subscribers_phone: 'subscriber.phone_number' };
  const field = taken[violatedConstraint(error) as keyof typeof taken];
  if (field === undefined) throw error;
  throw new AppError('conflict', `${field}: another subscriber has it`, {
    fields: { [field]: ['another subscriber has it'] },
  });
}

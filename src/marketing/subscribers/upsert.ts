import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { joinLists } from '../consent/change.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { hasOptedOut } from '../consent/opt-out.ts';
import { setFields } from '../fields/set-fields.ts';
import { defaultListId } from '../lists/default-list.ts';
import { knownByNumber } from './known-by-number.ts';
import type { NewSubscriber } from './read-subscriber.ts';
import { SUBSCRIBER_COLUMNS, type Subscriber } from './subscriber.ts';
import '../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
}

/**
 * Adds a subscriber, or finds the one with that email (without one: that phone number) and overwrites
 * what was sent. Whoever has opted out stays out, even if they were deleted meanwhile.
 */
export async function upsertSubscriber(
  tx: Tx,
  deps: Deps,
  wanted: NewSubscriber,
  listId: number | null,
): Promise<Subscriber> {
  const [person] = await knownByNumber(tx, deps.act.customerId, [wanted]);
  return saveSubscriber(tx, deps, person as NewSubscriber, listId);
}

/** The same where it is known who is meant: without an email, whoever has the phone number and no email. */
export async function saveSubscriber(
  tx: Tx,
  { clock, keys, act }: Deps,
  wanted: NewSubscriber,
  listId: number | null,
): Promise<Subscriber> {
  const { customerId } = act;
  const optedOut = await hasOptedOut(tx, keys, customerId, { email: wanted.email ?? null, unsubscribed_at: null });
  const subscriber = await writeSubscriber(tx, clock, customerId, wanted, optedOut);
  await setFields(tx, { clock, keys }, { customerId, subscriberId: subscriber.id }, wanted.customFields);
  const lists = [await defaultListId(tx, clock, customerId), ...(listId === null ? [] : [listId])];
  await joinLists(tx, { customerId, people: [subscriber.id], lists }, evidenceOf(clock, act), false);
  await recordAct(tx, clock, act, { target: subscriber.id, details: { lists: lists.map(String) } });
  return subscriber;
}

async function writeSubscriber(
  tx: Tx,
  clock: Clock,
  customerId: number,
  wanted: NewSubscriber,
  optedOut: boolean,
): Promise<Subscriber> {
  const now = clock.now();
  const { email, phoneNumber, firstName, lastName, timeZone, cleared = [] } = wanted;
  return tx
    .insertInto('subscribers')
    .values({
      id: timeOrderedId(clock),
      customer_id: customerId,
      email: email ?? null,
      phone_number: phoneNumber ?? null,
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      time_zone: timeZone ?? null,
      unsubscribed_at: optedOut ? now : null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => {
      const target =
        email === undefined
          ? conflict.columns(['customer_id', 'phone_number']).where('email', 'is', null)
          : conflict.expression(sql`customer_id, lower(email)`);
      return target.doUpdateSet({
        updated_at: now,
        ...(email === undefined ? {} : { email }),
        ...(phoneNumber === undefined ? {} : { phone_number: phoneNumber }),
        ...(firstName === undefined ? {} : { first_name: firstName }),
        ...(lastName === undefined ? {} : { last_name: lastName }),
        ...(timeZone === undefined ? {} : { time_zone: timeZone }),
        ...Object.fromEntries(cleared.map((name) => [name, null])),
      });
    })
    .returning(SUBSCRIBER_COLUMNS)
    .executeTakeFirstOrThrow();
}

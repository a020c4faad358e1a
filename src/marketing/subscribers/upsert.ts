import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { defaultListId } from '../lists/default-list.ts';
import { setCustomFields } from './custom-fields.ts';
import type { NewSubscriber } from './read-subscriber.ts';
import '../tables.ts';

export interface Subscriber {
  id: string;
  email: string | null;
  phone_number: string | null;
  first_name: string | null;
  last_name: string | null;
  unsubscribed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = [
  'id',
  'email',
  'phone_number',
  'first_name',
  'last_name',
  'unsubscribed_at',
  'created_at',
  'updated_at',
] as const;

/**
 * Adds a subscriber, or finds the one with that email (without one: that phone number) and overwrites
 * what was sent. Whoever has opted out stays out.
 */
export async function upsertSubscriber(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  wanted: NewSubscriber,
  listId: number | null,
): Promise<Subscriber> {
  const subscriber = await writeSubscriber(tx, clock, act.customerId, wanted);
  await setCustomFields(tx, clock, { customerId: act.customerId, subscriberId: subscriber.id }, wanted.customFields);
  const lists = [await defaultListId(tx, clock, act.customerId), ...(listId === null ? [] : [listId])];
  await joinLists(tx, clock, act.customerId, subscriber.id, lists);
  await recordAct(tx, clock, act, { target: subscriber.id, details: { lists: lists.map(String) } });
  return subscriber;
}

async function writeSubscriber(tx: Tx, clock: Clock, customerId: number, wanted: NewSubscriber): Promise<Subscriber> {
  const now = clock.now();
  const { email, phoneNumber, firstName, lastName } = wanted;
  return tx
    .insertInto('subscribers')
    .values({
      id: timeOrderedId(clock),
      customer_id: customerId,
      email: email ?? null,
      phone_number: phoneNumber ?? null,
      first_name: firstName ?? null,
      last_name: lastName ?? null,
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
      });
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

async function joinLists(
  tx: Tx,
  clock: Clock,
  customerId: number,
  subscriberId: string,
  lists: number[],
): Promise<void> {
  const rows = [...new Set(lists)].map((listId) => ({
    id: timeOrderedId(clock),
    customer_id: customerId,
    subscription_list_id: listId,
    subscriber_id: subscriberId,
    created_at: clock.now(),
  }));
  await tx
    .insertInto('subscriptions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

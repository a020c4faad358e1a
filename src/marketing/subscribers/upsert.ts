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
  const id = timeOrderedId(clock);
  const written = await writeSubscriber(tx, clock, { id, customerId }, wanted);
  const subscriber = written.id === id ? await leaveOut(tx, { clock, keys }, customerId, written) : written;
  await setFields(tx, { clock, keys }, { customerId, subscriberId: subscriber.id }, wanted.customFields);
  const lists = [await defaultListId(tx, clock, customerId), ...(listId === null ? [] : [listId])];
  await joinLists(tx, { customerId, people: [subscriber.id], lists }, evidenceOf(clock, act), false);
  await recordAct(tx, clock, act, { target: subscriber.id, details: { lists: lists.map(String) } });
  return subscriber;
}

/** Somebody who is new, as opted out where their address is: whoever had it may have been deleted until just now. */
async function leaveOut(
  tx: Tx,
  { clock, keys }: Pick<Deps, 'clock' | 'keys'>,
  customerId: number,
  made: Subscriber,
): Promise<Subscriber> {
  if (!(await hasOptedOut(tx, keys, customerId, made))) return made;
  return tx
    .updateTable('subscribers')
    .set({ unsubscribed_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('id', '=', made.id)
    .returning(SUBSCRIBER_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Makes somebody with the id, or changes whoever is known already. */
async function writeSubscriber(
  tx: Tx,
  clock: Clock,
  { id, customerId }: { id: string; customerId: number },
  wanted: NewSubscriber,
): Promise<Subscriber> {
  const now = clock.now();
  const { email, phoneNumber, firstName, lastName, timeZone, cleared = [] } = wanted;
  return tx
    .insertInto('subscribers')
    .values({
      id,
      customer_id: customerId,
      email: email ?? null,
      phone_number: phoneNumber ?? null,
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      time_zone: timeZone ?? null,
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

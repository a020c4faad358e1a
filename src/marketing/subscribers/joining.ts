import { auditRow } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { NewSubscriber } from './read-subscriber.ts';

/** Somebody who joins a list by a form that anybody can fill in; the form is the one who acts. */
export interface Joining {
  act: Act;
  subscriber: NewSubscriber;
  /** The fingerprint of their address, by which it is known whether it has opted out; null where they gave none. */
  addressIndex: Buffer | null;
  listId: number;
}

/** People as add_subscribers() takes them, for whoever calls it from a function of its own. */
export function peopleRows(clock: Clock, joining: Joining[]): object[] {
  const at = clock.now(); // one moment for all, so that they join together
  return merge(joining).map(({ act, subscriber, addressIndex, lists, forms }) => ({
    id: timeOrderedId(clock),
    customer_id: act.customerId,
    email: subscriber.email,
    phone_number: subscriber.phoneNumber,
    first_name: subscriber.firstName,
    last_name: subscriber.lastName,
    address_index: addressIndex?.toString('hex'),
    at,
    // Everybody is on the default list, which has no number here.
    places: [null, ...lists].map((list) => ({ list })),
    audit: auditRow(clock, act, { details: { lists: lists.map(String) } }),
    forms,
  }));
}

interface Person extends Omit<Joining, 'listId'> {
  lists: number[];
  /** The form of each submission. */
  forms: string[];
}

/** One entry for each address, as a statement cannot change a row twice; what was said first counts. */
function merge(joining: Joining[]): Person[] {
  const people = new Map<string, Person>();
  for (const { act, subscriber, addressIndex, listId } of joining) {
    const key = `${act.customerId}/${subscriber.email?.toLowerCase() ?? ''}/${subscriber.email === undefined ? subscriber.phoneNumber : ''}`;
    const known = people.get(key);
    people.set(key, {
      act,
      subscriber: { ...subscriber, ...known?.subscriber },
      addressIndex,
      lists: [...new Set([...(known?.lists ?? []), listId])],
      forms: [...(known?.forms ?? []), act.actor.id],
    });
  }
  return [...people.values()];
}

import type { LeasedPerson } from './lease.ts';
import type { Send } from './send.ts';

/** Why somebody is not written to. */
export type LeftOut = { state: 'excluded' | 'suppressed'; rule: string };

/** Whether somebody may be written to at this moment: null where they may, otherwise the rule that forbids it. */
export function leftOut(
  { subscription_list_id: listId }: Pick<Send, 'subscription_list_id'>,
  person: Pick<LeasedPerson, 'exists' | 'email' | 'opted_out' | 'list_exists' | 'subscribed' | 'pending'>,
  suppressed: ReadonlyMap<string, string>,
): LeftOut | null {
  if (!person.exists) return { state: 'excluded', rule: 'deleted' };
  if (person.email === null) return { state: 'excluded', rule: 'no_address' };
  if (person.opted_out) return { state: 'excluded', rule: 'opted_out' };
  if (listId !== null && !person.list_exists) return { state: 'excluded', rule: 'list_deleted' };
  const isOff = listId === null ? person.subscribed === false : person.subscribed !== true;
  if (isOff) {
    return { state: 'excluded', rule: person.pending === true ? 'unconfirmed' : 'left_list' };
  }
  const reason = suppressed.get(person.email);
  return reason === undefined ? null : { state: 'suppressed', rule: reason };
}

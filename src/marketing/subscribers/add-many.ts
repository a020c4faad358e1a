import { sql } from 'kysely';
import { type AuditRow, auditRow } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { defaultListId } from '../lists/default-list.ts';
import type { NewSubscriber } from './read-subscriber.ts';
import { upsertSubscriber } from './upsert.ts';
import '../tables.ts';

/** Somebody who joins a list; one that was deleted meanwhile takes nobody. */
export interface Joining {
  act: Act;
  subscriber: NewSubscriber;
  listId: number;
}

/** Adds many subscribers of any customers to lists, as upsertSubscriber does with one, in a few statements for all. */
export async function addSubscribers(tx: Tx, clock: Clock, joining: Joining[]): Promise<void> {
  const byEmail = joining.filter(({ subscriber }) => subscriber.email !== undefined);
  if (byEmail.length > 0) await addByEmail(tx, clock, byEmail);
  for (const { act, subscriber, listId } of joining.filter((each) => !byEmail.includes(each))) {
    const { rows } = await sql`select from subscription_lists
      where customer_id = ${act.customerId} and id = ${listId}`.execute(tx);
    if (rows.length > 0) await upsertSubscriber(tx, { clock, act }, subscriber, listId);
  }
}

async function addByEmail(tx: Tx, clock: Clock, joining: Joining[]): Promise<void> {
  const defaults = new Map<number, number>();
  for (const { act } of joining) {
    if (!defaults.has(act.customerId)) defaults.set(act.customerId, await defaultListId(tx, clock, act.customerId));
  }
  const people = merge(joining);
  const rows = people.map(({ act, subscriber }) => ({
    id: timeOrderedId(clock),
    customer_id: act.customerId,
    email: subscriber.email,
    phone_number: subscriber.phoneNumber,
    first_name: subscriber.firstName,
    last_name: subscriber.lastName,
  }));
  const places = people.flatMap(({ act: { customerId }, subscriber: { email }, lists }) =>
    [defaults.get(customerId), ...lists].map((list) => ({
      id: timeOrderedId(clock),
      customer_id: customerId,
      email,
      list,
    })),
  );
  const audit = people.map(({ act, subscriber, lists }) => ({
    ...auditRow(clock, act, { details: { lists: lists.map(String) } }),
    email: subscriber.email,
  })) satisfies (AuditRow & { email: unknown })[];
  const now = clock.now();
  await sql`
    with saved as (
      insert into subscribers (id, customer_id, email, phone_number, first_name, last_name, created_at, updated_at)
      select s.id, s.customer_id, s.email, s.phone_number, s.first_name, s.last_name, ${now}, ${now}
      from json_to_recordset(${JSON.stringify(rows)}::json) as s (id uuid, customer_id int, email text,
        phone_number text, first_name text, last_name text)
      order by s.customer_id, lower(s.email)
      on conflict (customer_id, lower(email)) do update set email = excluded.email, updated_at = excluded.updated_at,
        phone_number = coalesce(excluded.phone_number, subscribers.phone_number),
        first_name = coalesce(excluded.first_name, subscribers.first_name),
        last_name = coalesce(excluded.last_name, subscribers.last_name)
      returning id, customer_id, lower(email) as key
    ), joined as (
      insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at)
      select p.id, p.customer_id, l.id, saved.id, ${now}
      from json_to_recordset(${JSON.stringify(places)}::json) as p (id uuid, customer_id int, email text, list bigint)
      join saved on saved.customer_id = p.customer_id and saved.key = lower(p.email)
      join subscription_lists l on l.customer_id = p.customer_id and l.id = p.list
      on conflict (customer_id, subscription_list_id, subscriber_id) do nothing
    )
    insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
    select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, saved.id::text, a.request_id, a.details::jsonb
    from json_to_recordset(${JSON.stringify(audit)}::json) as a (id uuid, customer_id int, at timestamptz,
      actor_kind text, actor_id text, action text, request_id text, details text, email text)
    join saved on saved.customer_id = a.customer_id and saved.key = lower(a.email)`.execute(tx);
}

interface Person extends Omit<Joining, 'listId'> {
  lists: number[];
}

/** One entry for each address, in which what was said last counts. */
function merge(joining: Joining[]): Person[] {
  const people = new Map<string, Person>();
  for (const { act, subscriber, listId } of joining) {
    const key = `${act.customerId}/${subscriber.email?.toLowerCase()}`;
    const known = people.get(key);
    people.set(key, {
      act,
      subscriber: { ...known?.subscriber, ...subscriber },
      lists: [...new Set([...(known?.lists ?? []), listId])],
    });
  }
  return [...people.values()];
}

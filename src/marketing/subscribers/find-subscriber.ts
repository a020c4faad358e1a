import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { type AppError, missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { type Subscriber, selectSubscribers } from './subscriber.ts';
import '../tables.ts';

const NUMBER = /^[1-9]\d{0,14}$/;

/** The person that an id names, by UUID or by number: 404 where there is none, 403 where it is another customer's. */
export async function findSubscriber(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
  name = 'id',
): Promise<Subscriber> {
  const missing = noSuchSubscriber(name);
  if (!isUuid(id) && !NUMBER.test(id)) throw missing;
  const owner = isUuid(id)
    ? sql<number | null>`find_subscriber_customer(${id})`
    : sql<number | null>`find_numbered_subscriber_customer(${id})`;
  await requireOwn(tx, customerId, owner, missing);
  const found = await selectSubscribers(tx, customerId)
    .where(isUuid(id) ? 'id' : 'number', '=', isUuid(id) ? id : Number(id))
    .executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}

export function noSuchSubscriber(name = 'id'): AppError {
  return missingField(name, 'no such subscriber');
}

/** The people that ids name, each once, in the order of the ids; refused as a whole where one is not the customer's. */
export async function findSubscribers(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  ids: readonly string[],
  name = 'subscriber_ids',
): Promise<Subscriber[]> {
  const uuids = ids.filter(isUuid).map(canonicalUuid);
  const numbers = ids.filter((id) => NUMBER.test(id)).map(Number);
  const found = await selectSubscribers(tx, customerId)
    .where((where) =>
      where.or([
        where('id', '=', where.fn.any(where.val<string[]>(uuids))),
        where('number', '=', where.fn.any(where.val<number[]>(numbers))),
      ]),
    )
    .execute();
  const byId = new Map(found.flatMap((row) => [[row.id, row] as const, [String(row.number), row] as const]));
  const people = new Map<string, Subscriber>();
  for (const id of ids) {
    const person =
      byId.get(isUuid(id) ? canonicalUuid(id) : id) ?? (await findSubscriber(tx, requireOwn, customerId, id, name));
    people.set(person.id, person);
  }
  return [...people.values()];
}

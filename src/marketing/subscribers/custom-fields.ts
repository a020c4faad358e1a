import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import '../tables.ts';

interface Owner {
  customerId: number;
  subscriberId: string;
}

/** Sets a subscriber's custom fields; a name that is not known yet becomes a field of the customer. */
export async function setCustomFields(
  tx: Tx,
  clock: Clock,
  owner: Owner,
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  if (fields.size === 0) return;
  const { customerId, subscriberId } = owner;
  // In one order everywhere: two requests that create the same fields must not wait for each other.
  const types = [...fields.keys()].toSorted().map((name) => ({
    id: timeOrderedId(clock),
    customer_id: customerId,
    name,
    created_at: clock.now(),
  }));
  await tx
    .insertInto('custom_field_types')
    .values(types)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await tx
    .selectFrom('custom_field_types')
    .select(['id', 'name'])
    .where('customer_id', '=', customerId)
    .where('name', 'in', [...fields.keys()])
    .execute();
  const values = known.map(({ id, name }) => ({
    customer_id: customerId,
    subscriber_id: subscriberId,
    custom_field_type_id: id,
    value: fields.get(name) as string,
  }));
  await tx
    .insertInto('custom_field_values')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'subscriber_id', 'custom_field_type_id'])
        .doUpdateSet({ value: sql`excluded.value` }),
    )
    .execute();
}

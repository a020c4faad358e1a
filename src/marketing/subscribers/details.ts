import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { openFields } from '../fields/sealed-fields.ts';
import { noSuchSubscriber } from './find-subscriber.ts';
import '../tables.ts';

interface Owner {
  customerId: number;
  subscriberId: string;
}

/** The custom fields of somebody, those about their health opened; throws where they were deleted since they were found. */
export async function readFields(tx: Tx, keys: CustomerVault, { customerId, subscriberId }: Owner) {
  const types = await listFieldTypes(tx, customerId);
  const person = await tx
    .selectFrom('subscribers')
    .select(['fields', 'sealed_fields'])
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .executeTakeFirst();
  if (person === undefined) throw noSuchSubscriber();
  const values = { ...person.fields, ...openFields(keys, subscriberId, person.sealed_fields) };
  return types.flatMap(({ id, number, name }) => {
    const value = values[number];
    return value === undefined
      ? []
      : [{ subscriber_custom_field_type_id: id, custom_field_name: name, custom_field_value: value, name, value }];
  });
}

/** The lists that somebody is or was on. */
export async function readLists(tx: Tx, { customerId, subscriberId }: Owner) {
  const rows = await tx
    .selectFrom('subscriptions as c')
    .innerJoin('subscription_lists as l', (join) =>
      join.onRef('l.id', '=', 'c.subscription_list_id').onRef('l.customer_id', '=', 'c.customer_id'),
    )
    .select(['l.id', 'l.name', 'c.unsubscribed_at', 'c.pending'])
    .where('c.customer_id', '=', customerId)
    .where('c.subscriber_id', '=', subscriberId)
    .orderBy('l.id')
    .execute();
  return rows.map(({ id, name, unsubscribed_at: left, pending }) => ({
    id: String(id),
    name,
    unsubscribed: left !== null,
    pending,
  }));
}

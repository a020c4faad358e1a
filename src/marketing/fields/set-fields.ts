import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { FieldType, FieldValues } from './field-type.ts';
import { fieldTypesNamed } from './field-types.ts';
import { readValue } from './read-value.ts';
import { type NumberedValues, openFields, sealFields } from './sealed-fields.ts';
import '../tables.ts';

interface Owner {
  customerId: number;
  subscriberId: string;
}

/** Values to be set, those about somebody's health apart; '' takes a value away. */
interface Sorted {
  plain: NumberedValues;
  phi: NumberedValues;
}

/** Sets custom fields of a subscriber; a name that is not known yet becomes a field of the customer. */
export async function setFields(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  owner: Owner,
  values: FieldValues,
): Promise<void> {
  if (values.size === 0) return;
  const types = await fieldTypesNamed(tx, clock, owner.customerId, [...values.keys()]);
  const { plain, phi } = sortValues(types, values);
  if (Object.keys(plain).length > 0) await setPlain(tx, owner, plain);
  if (Object.keys(phi).length > 0) await setSealed(tx, keys, owner, phi);
}

/** Values by the numbers of their fields, each checked against the kind of its own. */
function sortValues(types: ReadonlyMap<string, FieldType>, values: FieldValues): Sorted {
  const sorted: Sorted = { plain: {}, phi: {} };
  for (const [position, [name, text]] of [...values].entries()) {
    const type = types.get(name) as FieldType;
    const read = readValue(type.kind, text);
    if ('rule' in read) throw invalidField(`custom_fields[${position}]`, read.rule);
    sorted[type.class === 'phi' ? 'phi' : 'plain'][type.number] = read.value;
  }
  return sorted;
}

async function setPlain(tx: Tx, { customerId, subscriberId }: Owner, values: NumberedValues): Promise<void> {
  const { kept, removed } = parted(values);
  await sql`
    update subscribers set fields = (fields - ${removed}::text[]) || ${JSON.stringify(kept)}::jsonb
    where customer_id = ${customerId} and id = ${subscriberId}`.execute(tx);
}

async function setSealed(
  tx: Tx,
  keys: CustomerVault,
  { customerId, subscriberId }: Owner,
  values: NumberedValues,
): Promise<void> {
  const row = await tx
    .selectFrom('subscribers')
    .select('sealed_fields')
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { kept, removed } = parted(values);
  const after = { ...openFields(keys, subscriberId, row.sealed_fields), ...kept };
  for (const number of removed) delete after[number];
  await tx
    .updateTable('subscribers')
    .set({ sealed_fields: sealFields(keys, subscriberId, after) })
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .execute();
}

function parted(values: NumberedValues): { kept: NumberedValues; removed: string[] } {
  const entries = Object.entries(values);
  return {
    kept: Object.fromEntries(entries.filter(([, value]) => value !== '')),
    removed: entries.filter(([, value]) => value === '').map(([number]) => number),
  };
}

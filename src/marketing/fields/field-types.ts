import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { FieldType } from './field-type.ts';
import '../tables.ts';

/** How many fields a customer may have; more would be data that found its way into the names. */
export const MOST_FIELD_TYPES = 1_000;

/** A customer's fields, oldest first. */
export async function listFieldTypes(tx: Tx, customerId: number): Promise<FieldType[]> {
  return tx
    .selectFrom('custom_field_types')
    .select(['id', 'number', 'name', 'kind', 'class'])
    .where('customer_id', '=', customerId)
    .orderBy('number')
    .execute();
}

/** The fields that have these names; a name that is not known yet becomes a field of the customer. */
export async function fieldTypesNamed(
  tx: Tx,
  clock: Clock,
  customerId: number,
  names: readonly string[],
): Promise<Map<string, FieldType>> {
  if (names.length === 0) return new Map();
  const known = await findNamed(tx, customerId, names);
  if (known.size === names.length) return known;
  await requireRoom(tx, customerId, names.length - known.size);
  // In one order everywhere: two requests that create the same fields must not wait for each other.
  const unknown = names.filter((name) => !known.has(name)).toSorted();
  await tx
    .insertInto('custom_field_types')
    .values(
      unknown.map((name) => ({
        id: timeOrderedId(clock),
        customer_id: customerId,
        name,
        kind: 'text' as const,
        class: 'personal' as const,
        created_at: clock.now(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return findNamed(tx, customerId, names);
}

/** Throws where a customer would have more fields than it may. */
export async function requireRoom(tx: Tx, customerId: number, more: number): Promise<void> {
  const { rows } = await sql<{ fields: number }>`
    select count(*) as fields from custom_field_types where customer_id = ${customerId}`.execute(tx);
  if ((rows[0]?.fields ?? 0) + more > MOST_FIELD_TYPES) {
    throw new AppError('unprocessable', `custom_fields: a customer has at most ${MOST_FIELD_TYPES} fields`, {
      fields: { custom_fields: [`a customer has at most ${MOST_FIELD_TYPES} fields`] },
    });
  }
}

async function findNamed(tx: Tx, customerId: number, names: readonly string[]): Promise<Map<string, FieldType>> {
  const types = await tx
    .selectFrom('custom_field_types')
    .select(['id', 'number', 'name', 'kind', 'class'])
    .where('customer_id', '=', customerId)
    .where('name', 'in', names)
    .execute();
  return new Map(types.map((type) => [type.name, type]));
}

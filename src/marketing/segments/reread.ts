import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { FieldType } from '../fields/field-type.ts';
import { wireName } from './filters/fields.ts';
import type { Condition } from './filters/filters.ts';
import { readCondition } from './filters/read-condition.ts';
import { selectSegments, standsOn } from './segment.ts';
import '../tables.ts';

/**
 * Reads anew what segments ask of a field that has become one of another kind, so that they mean what the same filters mean
 * to whoever asks now. Throws where the kind does not know such a question.
 */
export async function rereadSegments(tx: Tx, customerId: number, field: FieldType): Promise<void> {
  const segments = await selectSegments(tx, customerId).where(standsOn(field.number)).forUpdate().execute();
  for (const { id, filters } of segments) {
    const reread = filters.map((group) => group.map((condition) => rereadCondition(condition, field)));
    await tx
      .updateTable('segments')
      .set({ filters: JSON.stringify(reread), subscriber_count: null, counted_at: null })
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .execute();
  }
}

function rereadCondition(condition: Condition, field: FieldType): Condition {
  if (condition.custom?.number !== field.number) return condition;
  return readCondition({ ...condition, field: wireName(field.name), refuse }, new Map([[field.name, field]]));
}

function refuse(): AppError {
  const rule = 'a dynamic list asks of this field what the other kind does not know';
  return new AppError('conflict', `kind: ${rule}`, { fields: { kind: [rule] } });
}

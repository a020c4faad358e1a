import { sql } from 'kysely';
import { requireNothingHeld } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { violatedConstraint } from '../../platform/db/failure.ts';
import { AppError, missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid, timeOrderedId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { selectSegments, standsOn } from '../segments/segment.ts';
import type { FieldType } from './field-type.ts';
import { requireRoom } from './field-types.ts';
import '../tables.ts';

type Said = Pick<FieldType, 'name' | 'kind' | 'class'>;

/** The side job that seals the values of a field that has become health data. */
export const SEAL_FIELD = 'marketing.seal-field';

const IN_A_SEGMENT = 'a dynamic list stands on this field';
const COLUMNS = ['id', 'number', 'name', 'kind', 'class'] as const;

/** The field that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findFieldType(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<FieldType> {
  const missing = missingField('id', 'no such custom field');
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_custom_field_type_customer(${id})`, missing);
  const found = await tx
    .selectFrom('custom_field_types')
    .select(COLUMNS)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}

/** Makes a field. */
export async function createFieldType(tx: Tx, clock: Clock, customerId: number, wanted: Said): Promise<FieldType> {
  await requireRoom(tx, customerId, 1);
  return tx
    .insertInto('custom_field_types')
    .values({ id: timeOrderedId(clock), customer_id: customerId, ...wanted, created_at: clock.now() })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
    .catch(refuseTaken);
}

/** Changes a field. What has become health data is sealed by a side job, and is treated as such from now on. */
export async function changeFieldType(
  tx: Tx,
  customerId: number,
  before: FieldType,
  change: Partial<Said>,
): Promise<FieldType> {
  if (before.class === 'phi' && change.class !== undefined && change.class !== 'phi') {
    throw new AppError('conflict', 'class: health data stays health data', {
      fields: { class: ['health data stays health data'] },
    });
  }
  if (Object.keys(change).length === 0) return before;
  if (before.class !== 'phi' && change.class === 'phi') await requireUnused(tx, customerId, before);
  const after = await tx
    .updateTable('custom_field_types')
    .set(change)
    .where('customer_id', '=', customerId)
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
    .catch(refuseTaken);
  if (before.class !== 'phi' && after.class === 'phi') {
    await enqueueJob(tx, SEAL_FIELD, { customerId, fieldId: before.id }, `seal-field/${before.id}`);
  }
  return after;
}

/**
 * Throws while something that was checked before stands on a field that is to become health data: a segment that names
 * it, a send that may write it, an import that may fill it, a drip that may go by it.
 */
async function requireUnused(tx: Tx, customerId: number, { number }: FieldType): Promise<void> {
  const { rows } = await sql<{ segments: boolean; busy: boolean }>`
    select exists (select from segments where customer_id = ${customerId} and ${standsOn(number)}) as segments,
      exists (select from campaign_mailing_sends where customer_id = ${customerId} and finished_at is null)
        or exists (select from imports where customer_id = ${customerId} and state in ('waiting', 'running'))
        or exists (select from drip_campaigns where customer_id = ${customerId} and state in ('running', 'paused'))
        as busy`.execute(tx);
  const rule = rows[0]?.segments === true ? IN_A_SEGMENT : 'a send, an import or a drip campaign is under way';
  if (rows[0]?.segments === true || rows[0]?.busy === true) {
    throw new AppError('conflict', `class: ${rule}`, { fields: { class: [rule] } });
  }
}

/**
 * Removes a field, unless something is held or a segment names it; values that stand under its number belong to nothing
 * from then on.
 */
export async function deleteFieldType(tx: Tx, customerId: number, { id, number }: FieldType): Promise<void> {
  await requireNothingHeld(tx, customerId);
  const segment = await selectSegments(tx, customerId).where(standsOn(number)).limit(1).executeTakeFirst();
  if (segment !== undefined) throw new AppError('conflict', `id: ${IN_A_SEGMENT}`, { fields: { id: [IN_A_SEGMENT] } });
  await tx.deleteFrom('custom_field_types').where('customer_id', '=', customerId).where('id', '=', id).execute();
}

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === null) throw error;
  throw new AppError('unprocessable', 'name is taken', { fields: { name: ['is taken'] } });
}

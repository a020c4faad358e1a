import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Filters } from './filters/filters.ts';
import '../tables.ts';

/** People by rule rather than by name; how many they were when they were last counted. */
export interface Segment {
  id: string;
  name: string;
  filters: Filters;
  subscriber_count: number | null;
  counted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const SEGMENT_COLUMNS = [
  'id',
  'name',
  'filters',
  'subscriber_count',
  'counted_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Segment)[];

/** The segments of a customer. */
export function selectSegments(tx: Tx, customerId: number) {
  return tx.selectFrom('segments').select(SEGMENT_COLUMNS).where('customer_id', '=', customerId).$castTo<Segment>();
}

/** Whether a row of segments asks something of a custom field. */
export function standsOn(number: number): RawBuilder<boolean> {
  return sql`jsonb_path_exists(filters, '$[*][*].custom ? (@.number == $number)', ${JSON.stringify({ number })}::jsonb)`;
}

/** Lets nobody else change a segment until the transaction ends. */
export async function lockSegment(tx: Tx, customerId: number, id: string): Promise<void> {
  if (isUuid(id)) {
    await sql`select from segments where customer_id = ${customerId} and id = ${id} for no key update`.execute(tx);
  }
}

/** The segment that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findSegment(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
  name = 'id',
): Promise<Segment> {
  const missing = missingField(name, 'no such dynamic list');
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_segment_customer(${id})`, missing);
  const found = await selectSegments(tx, customerId).where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}

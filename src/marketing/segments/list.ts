import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { ListOrder } from '../list-order.ts';
import type { SegmentQuery } from './read-segment-query.ts';
import { SEGMENT_COLUMNS, type Segment } from './segment.ts';
import '../tables.ts';

const SORTS: Record<ListOrder, RawBuilder<unknown>> = {
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  name: sql`lower(name)`,
  subscriber_count: sql`coalesce(subscriber_count, 0)`,
};

/** The segments that fit a search, or a page of them, and how many there are in all. */
export async function listSegments(
  tx: Tx,
  customerId: number,
  { search, orderBy, order, page }: SegmentQuery,
): Promise<{ segments: Segment[]; total: number }> {
  const direction = sql.raw(order);
  const fitting =
    search === null ? sql`` : sql`and lower(name) like lower(${`%${search.replace(/[\\%_]/g, '\\$&')}%`})`;
  const cut = page === null ? sql`` : sql`limit ${page.items} offset ${(page.page - 1) * page.items}`;
  const { rows } = await sql<Segment>`
    select ${sql.join(SEGMENT_COLUMNS.map((column) => sql.ref(column)))} from segments
    where customer_id = ${customerId} ${fitting}
    order by ${SORTS[orderBy]} ${direction}, id ${direction} ${cut}`.execute(tx);
  if (page === null) return { segments: rows, total: rows.length };
  const counted = await sql<{ total: number }>`
    select count(*) as total from segments where customer_id = ${customerId} ${fitting}`.execute(tx);
  return { segments: rows, total: counted.rows[0]?.total ?? 0 };
}

import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { pageInOrder } from '../page-in-order.ts';
import { withCounts } from './count.ts';
import { listSegments } from './list.ts';
import type { SegmentQuery } from './read-segment-query.ts';
import type { Segment } from './segment.ts';

/** The segments that are wanted, with their counts. */
export async function listCounted(
  tx: Tx,
  { clock, customerId }: { clock: Clock; customerId: number },
  query: SegmentQuery,
): Promise<{ segments: Segment[]; total: number }> {
  const count = async (segments: Segment[]) =>
    query.withStats ? withCounts(tx, { clock, customerId }, segments) : segments;
  if (query.orderBy !== 'subscriber_count' || !query.withStats) {
    const { segments, total } = await listSegments(tx, customerId, query);
    return { segments: await count(segments), total };
  }
  const { segments, total } = await listSegments(tx, customerId, { ...query, page: null });
  return { segments: await pageInOrder(segments, query, count), total };
}

import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import './tables.ts';

const PAGE = 200;

/** Destroys what has expired of a table, customer by customer; `destroy` looks once more, as some may have been prolonged. */
export async function sweepExpired(
  { db, clock }: { db: Database; clock: Clock },
  table: 'form_drafts' | 'form_uploads',
  destroy: (customerId: number, ids: string[]) => Promise<void>,
): Promise<void> {
  for (let page = PAGE; page === PAGE; ) {
    const over = await db.untenanted((tx) =>
      tx
        .selectFrom(table)
        .select(['id', 'customer_id'])
        .where('expires_at', '<=', clock.now())
        .orderBy('expires_at')
        .limit(PAGE)
        .execute(),
    );
    for (const [customerId, rows] of Map.groupBy(over, (row) => row.customer_id)) {
      await destroy(
        customerId,
        rows.map(({ id }) => id),
      );
    }
    page = over.length;
  }
}

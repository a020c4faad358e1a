import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';

const PAGE = 200;

interface Expired {
  id: string;
  customer_id: number;
  /** To the microsecond, as PostgreSQL holds it. */
  expiry: string;
}

/**
 * Destroys what has expired of a table, customer by customer; `destroy` looks once more, as some may have been prolonged
 * or are held.
 */
export async function sweepExpired(
  { db, clock }: { db: Database; clock: Clock },
  table: string,
  destroy: (customerId: number, ids: string[]) => Promise<void>,
): Promise<void> {
  const now = clock.now();
  let last: Pick<Expired, 'id' | 'expiry'> | undefined;
  do {
    const after =
      last === undefined ? sql`true` : sql`(expires_at, id) > (${last.expiry}::timestamptz, ${last.id}::uuid)`;
    const { rows: over } = await db.untenanted((tx) =>
      sql<Expired>`select id, customer_id, expires_at::text as expiry from ${sql.table(table)}
        where expires_at <= ${now} and ${after} order by expires_at, id limit ${PAGE}`.execute(tx),
    );
    for (const [customerId, rows] of Map.groupBy(over, (row) => row.customer_id)) {
      await destroy(
        customerId,
        rows.map(({ id }) => id),
      );
    }
    last = over.length === PAGE ? over.at(-1) : undefined;
  } while (last !== undefined);
}

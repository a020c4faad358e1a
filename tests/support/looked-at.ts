import type { Client } from '../../src/platform/db/pool.ts';

/** How many rows of each table, whatever their partition, the transaction of a connection has looked at. */
export async function lookedAt(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query(`
    select regexp_replace(relname, '_\\d{4}_\\d\\d$', '') as "table",
      sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables group by 1`);
  return Object.fromEntries(rows.map(({ table, count }) => [table, count]));
}

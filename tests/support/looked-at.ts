type Ask = (text: string) => Promise<{ rows: unknown[] }>;

/** How many rows of each table, whatever their partition, the transaction that is asked in has looked at. */
export async function lookedAt(ask: Ask): Promise<Record<string, number>> {
  const { rows } = await ask(`
    select regexp_replace(relname, '_\\d{4}_\\d\\d$', '') as "table",
      sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables group by 1`);
  return Object.fromEntries((rows as { table: string; count: number }[]).map(({ table, count }) => [table, count]));
}

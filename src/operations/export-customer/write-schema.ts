import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { RECORDS } from '../records.ts';
import { openedColumns } from './open-row.ts';

interface Column {
  table: string;
  name: string;
  type: string;
}

/** What stands in each file of rows: its columns, which of them were opened, and what was left out and why. */
export async function describeTables(tx: Tx): Promise<object> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${RECORDS.map(({ table }) => table)})
    order by c.relname, a.attnum`.execute(tx);
  const columns = Map.groupBy(rows, ({ table }) => table);
  return {
    format: 'Each file of rows is JSON Lines: one row a line, in UTF-8; times are in UTC.',
    tables: RECORDS.map(({ table, area, without = [], notExported }) => {
      if (notExported !== undefined) return { table, not_exported: notExported };
      const opened = openedColumns(table, without).map(({ column }) => column);
      const kept = (columns.get(table) ?? []).filter(({ name }) => !without.includes(name));
      return {
        table,
        file: `${area}/${table}.jsonl`,
        columns: kept.map(({ name, type }) => ({ name, type: opened.includes(name) ? 'opened' : type })),
        left_out: without,
      };
    }),
  };
}

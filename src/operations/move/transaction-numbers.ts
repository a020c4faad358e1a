import type { Table } from './catalogue.ts';

// Numbers of transactions mean something in their own cluster only, and a new one counts from the beginning: rows that
// came later would seem older than those that are chained, and never be. So what is chained gets the number 1, what is not
// yet gets 2, and the watermark lies between. The first transaction of any cluster has number 3.
const TRANSLATED: Record<string, Record<string, string>> = {
  'public.audit_log': {
    xact: `(case when xact < (select sealed_below from public.audit_watermark) then '1' else '2' end)::xid8`,
  },
  'public.audit_watermark': { sealed_below: `'2'::xid8` },
};

/** What is read of a table for another cluster, column by column. */
export function valuesFor({ name, columns }: Table): string {
  return columns.map((column) => TRANSLATED[name]?.[column] ?? column).join(', ');
}

import type { Client } from '../../platform/db/pool.ts';
import { listForced, listSequences, type Table } from './catalogue.ts';
import { valuesFor } from './transaction-numbers.ts';

/** What a table holds: how many rows, and a sum over their hashes that does not depend on their order. */
export interface Holding {
  table: string;
  rows: number;
  hash: string;
}

/** Compares every table and every sequence; what differs is an error. */
export async function compareAll(source: Client, target: Client, tables: Table[]): Promise<Holding[]> {
  const holdings: Holding[] = [];
  for (const table of tables) {
    const [here, there] = await Promise.all([
      holdingOf(source, table, valuesFor(table)),
      holdingOf(target, table, table.columns.join(', ')),
    ]);
    if (here.rows !== there.rows || here.hash !== there.hash) {
      throw new Error(`${table.name} differs after the copy: ${here.rows} rows here and ${there.rows} there`);
    }
    holdings.push(there);
  }
  requireSame('sequences', await listSequences(source), await listSequences(target));
  return holdings;
}

/** Compares which tables and partitions hold their owner to row-level security too. */
export async function compareWalls(forcedInSource: string[], target: Client): Promise<void> {
  requireSame('row-level security', forcedInSource, await listForced(target));
}

async function holdingOf(client: Client, { name }: Table, values: string): Promise<Holding> {
  const { rows } = await client.query(
    `select count(*)::int8 as rows,
       coalesce(sum(('x' || encode(substr(sha256(convert_to(row(${values})::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::int8), 0)::text as hash
     from ${name}`,
  );
  return { table: name, rows: rows[0].rows, hash: rows[0].hash };
}

function requireSame(what: string, here: object, there: object): void {
  if (JSON.stringify(here) !== JSON.stringify(there)) throw new Error(`${what} differ after the copy`);
}

import { UNFINISHED_MOVE } from '../../platform/db/migrate.ts';
import type { Client } from '../../platform/db/pool.ts';

const SCHEMAS = ['public', 'graphile_worker'];

/** A table that is copied as a whole, its partitions with it. */
export interface Table {
  /** As SQL takes it. */
  name: string;
  /** Those with a value of their own, as SQL takes them. */
  columns: string[];
  /** Whether row-level security holds for its owner too. */
  forced: boolean;
}

/** A partition, and what it takes to make it. */
export interface Partition {
  name: string;
  parent: string;
  bounds: string;
  storage: string | null;
}

export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** How far a sequence has counted. */
export interface Sequence {
  name: string;
  value: string;
  called: boolean;
}

/** The tables that hold what a database is worth; the job library keeps the list of its own migrations itself. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name, c.relforcerowsecurity as forced,
       array(select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
       and (n.nspname, c.relname) not in (('graphile_worker', 'migrations'), ('public', $2))
     order by 1`,
    [SCHEMAS, UNFINISHED_MOVE],
  );
  return rows;
}

/** Every table and partition whose owner is held to row-level security too. */
export async function listForced(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relforcerowsecurity order by 1`,
    [SCHEMAS],
  );
  return rows.map(({ name }) => name);
}

export async function listPartitions(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select format('%I.%I', n.nspname, c.relname) as name, i.inhparent::regclass::text as parent,
       pg_get_expr(c.relpartbound, c.oid) as bounds, array_to_string(c.reloptions, ', ') as storage
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_inherits i on i.inhrelid = c.oid
     where n.nspname = any($1) and c.relkind = 'r' and c.relispartition order by 1`,
    [SCHEMAS],
  );
  return rows;
}

/** The foreign keys of tables; those of partitions follow from them. */
export async function listForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text = any($1)
     order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}

export async function listSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = any($1) order by 1`,
    [SCHEMAS],
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query(`select last_value::text as value, is_called as called from ${name}`);
    sequences.push({ name, value: found[0].value, called: found[0].called });
  }
  return sequences;
}

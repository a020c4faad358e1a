import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/db/database.ts';

/** A column of those that name a row. */
export interface KeyColumn {
  name: string;
  type: string;
}

/** A place between the rows of a table: the key of the row that was passed last, as text. */
export type Place = Record<string, string>;

/** The primary key of a table. */
export async function keyOf(tx: Tx, table: string): Promise<KeyColumn[]> {
  const { rows } = await sql<KeyColumn>`
    select a.attname as name, format_type(a.atttypid, null) as type
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary
    order by array_position(i.indkey::int2[], a.attnum)`.execute(tx);
  return rows;
}

/** Only what comes after a place. */
export function behind(key: KeyColumn[], place: Place | null): RawBuilder<boolean> {
  if (place === null) return sql<boolean>`true`;
  const columns = sql.join(key.map(({ name }) => sql.ref(name)));
  const values = sql.join(key.map(({ name, type }) => sql`${place[name]}::text::${sql.raw(type)}`));
  return sql<boolean>`(${columns}) > (${values})`;
}

/** The place of a row, as JSON. */
export function placeOf(key: KeyColumn[]): RawBuilder<Place> {
  return sql<Place>`json_build_object(${sql.join(key.flatMap(({ name }) => [sql.lit(name), sql`${sql.ref(name)}::text`]))})`;
}

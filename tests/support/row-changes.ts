import type { Client } from '../../src/platform/db/pool.ts';
import { COUNTED } from './refusals.ts';

/** Has the database note how many rows come and go: counting those of every table takes a hundred times as long. */
export async function watchRows(client: Client): Promise<void> {
  await client.query(`
    create table public.row_changes (name text not null, delta int not null);
    create function public.note_row_changes() returns trigger language plpgsql security definer as $$
    begin
      insert into public.row_changes
        select tg_table_name, case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0;
      return null;
    end $$`);
  const { rows } = await client.query(COUNTED);
  const triggers = rows.flatMap(({ name }) =>
    [
      ['insert', 'new'],
      ['delete', 'old'],
    ].map(
      ([event, rowsOf]) => `create trigger note_${event} after ${event} on ${name}
        referencing ${rowsOf} table as changed for each statement execute function public.note_row_changes()`,
    ),
  );
  await client.query(triggers.filter((trigger) => !trigger.includes('on row_changes')).join(';'));
}

/** By how many rows each table has grown since it is watched. */
export async function countChanges(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query(
    'select name, sum(delta)::int as delta from row_changes group by name having sum(delta) <> 0 order by name',
  );
  return Object.fromEntries(rows.map(({ name, delta }) => [name, delta]));
}

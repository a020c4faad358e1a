import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { compileFilters, type Occasion } from '../../segments/compile.ts';
import type { Filters } from '../../segments/filters/filters.ts';
import type { Test } from '../graph/graph.ts';
import type { Traveller } from './traveller.ts';
import '../../tables.ts';

/** Somebody in a drip, of whom something may be true. */
export type Person = Pick<Traveller, 'id' | 'subscriber_id' | 'entered_at'>;

/** The enrolments of those of whom something is true; what they did with a mailing counts since they entered. */
export async function whoFits(
  tx: Tx,
  occasion: Occasion,
  test: Test,
  filters: Filters | null,
  people: Person[],
): Promise<Set<string>> {
  if ('opened' in test) return whoDid(tx, occasion, { mailingId: test.opened, what: 'first_opened_at' }, people);
  if ('clicked' in test) return whoDid(tx, occasion, { mailingId: test.clicked, what: 'first_clicked_at' }, people);
  const ids = people.map(({ subscriber_id: id }) => id);
  const { rows } = await sql<{ id: string }>`
    select s.id from subscribers s where s.customer_id = ${occasion.customerId} and s.id = any(${ids}::uuid[])
      and ${compileFilters(filters ?? [], occasion)}`.execute(tx);
  const fitting = new Set(rows.map(({ id }) => id));
  return new Set(people.filter(({ subscriber_id: id }) => fitting.has(id)).map(({ id }) => id));
}

async function whoDid(
  tx: Tx,
  { customerId }: Occasion,
  { mailingId, what }: { mailingId: string; what: 'first_opened_at' | 'first_clicked_at' },
  people: Person[],
): Promise<Set<string>> {
  const asked = people.map(({ id, subscriber_id, entered_at }) => ({ id, subscriber_id, entered_at }));
  const { rows } = await sql<{ id: string }>`
    select p.id from json_to_recordset(${JSON.stringify(asked)}::json)
      as p (id uuid, subscriber_id uuid, entered_at timestamptz)
    where exists (select from mailing_engagement m where m.customer_id = ${customerId}
      and m.subscriber_id = p.subscriber_id and m.mailing_id = ${Number(mailingId)}
      and ${sql.ref(`m.${what}`)} >= p.entered_at offset 0)`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** What there is to do in all forms of a customer that are not deleted. */
export interface OpenWork {
  new: number;
  inWork: number;
  /** Of these, how many nobody has. */
  unassigned: number;
  /** How many are not done, by whose they are. */
  assigned: { assigneeId: string; open: number }[];
  /** The forms that have any of it, those with the most that is new first. */
  forms: FormWork[];
}

/** What there is to do in one form. */
export interface FormWork {
  id: string;
  title: string;
  new: number;
  inWork: number;
}

const MOST_FORMS = 100;

/** How many submissions of a customer's forms nobody has taken up. */
export async function countNewSubmissions(tx: Tx, customerId: number): Promise<number> {
  const { rows } = await sql<{ fresh: number }>`
    select (coalesce((
      select sum(c.submission_count) from form_counts c join forms f on f.id = c.form_id and f.customer_id = c.customer_id
      where c.customer_id = ${customerId} and not f.deleted), 0)
    - (select count(*) from submission_work w join forms f on f.id = w.form_id and f.customer_id = w.customer_id
      where w.customer_id = ${customerId} and not f.deleted and w.state <> 'new'))::int as fresh`.execute(tx);
  return rows[0]?.fresh ?? 0;
}

/** Counts what there is to do, and for whom. */
export async function countOpenWork(tx: Tx, customerId: number): Promise<OpenWork> {
  const fresh = await countNewSubmissions(tx, customerId);
  const { rows } = await sql<{ assignee_id: string | null; in_work: number; fresh: number }>`
    select w.assignee_id, (count(*) filter (where w.state = 'in_work'))::int as in_work,
      (count(*) filter (where w.state = 'new'))::int as fresh
    from submission_work w join forms f on f.id = w.form_id and f.customer_id = w.customer_id
    where w.customer_id = ${customerId} and not f.deleted and w.state <> 'done'
    group by w.assignee_id order by w.assignee_id`.execute(tx);
  const assigned = rows.flatMap(({ assignee_id: assigneeId, in_work: begun, fresh: waiting }) =>
    assigneeId === null ? [] : [{ assigneeId, open: begun + waiting }],
  );
  const inWork = rows.reduce((sum, row) => sum + row.in_work, 0);
  const taken = assigned.reduce((sum, { open }) => sum + open, 0);
  return { new: fresh, inWork, unassigned: fresh + inWork - taken, assigned, forms: await countByForm(tx, customerId) };
}

async function countByForm(tx: Tx, customerId: number): Promise<FormWork[]> {
  const { rows } = await sql<FormWork>`
    select f.id, f.title, (c.submission_count - coalesce(w.taken, 0))::int as new, coalesce(w.in_work, 0)::int as "inWork"
    from forms f join form_counts c on c.form_id = f.id and c.customer_id = f.customer_id
    left join lateral (select count(*) filter (where s.state <> 'new') as taken,
        count(*) filter (where s.state = 'in_work') as in_work
      from submission_work s where s.customer_id = f.customer_id and s.form_id = f.id) w on true
    where f.customer_id = ${customerId} and not f.deleted
      and (c.submission_count > coalesce(w.taken, 0) or w.in_work > 0)
    order by 3 desc, f.title, f.id limit ${MOST_FORMS}`.execute(tx);
  return rows;
}

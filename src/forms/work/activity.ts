import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import type { Form } from '../definition/form.ts';
import '../tables.ts';

const DAYS = 30;
const DAY_MS = 24 * 3600_000;

/** What goes on with a form. */
export interface Activity {
  new: number;
  in_work: number;
  done: number;
  /** Each of the last days in UTC, today last. */
  days: { day: string; submissions: number }[];
}

/** Counts what staff has made of a form's submissions, and how many came day by day. */
export async function readActivity(tx: Tx, clock: Clock, form: Form): Promise<Activity> {
  const { id: formId, customer_id: customerId } = form;
  const worked = await sql<{ in_work: number; done: number }>`
    select (count(*) filter (where state = 'in_work'))::int as in_work,
      (count(*) filter (where state = 'done'))::int as done
    from submission_work where customer_id = ${customerId} and form_id = ${formId}`.execute(tx);
  const { in_work: begun, done } = worked.rows[0] ?? { in_work: 0, done: 0 };
  const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
  const first = new Date(today - (DAYS - 1) * DAY_MS);
  const { rows } = await sql<{ day: string; submissions: number }>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as submissions
    from submissions
    where customer_id = ${customerId} and form_id = ${formId} and id >= ${firstIdAt(first)}
    group by 1`.execute(tx);
  const counts = new Map(rows.map((row) => [row.day, row.submissions]));
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(first.getTime() + at * DAY_MS).toISOString().slice(0, 10);
    return { day, submissions: counts.get(day) ?? 0 };
  });
  return { new: form.submission_count - begun - done, in_work: begun, done, days };
}

import { type RawBuilder, sql } from 'kysely';
import type { Op } from './filters/ops.ts';

type Expression = RawBuilder<unknown>;

/** Whether a date is in the days before or after this one, or comes again in them; days are those of UTC. */
export function compileDays(op: Op, date: Expression, days: number, at: Date): RawBuilder<boolean> {
  const today = sql`${at.toISOString().slice(0, 10)}::date`;
  if (op === 'in_last_days') return sql`${date} between ${today} - ${days}::int and ${today}`;
  if (op === 'in_next_days') return sql`${date} between ${today} and ${today} + ${days}::int`;
  const year = at.getUTCFullYear();
  const again = [year, year + 1].map((each) => sql`${inYear(date, each)} between ${today} and ${today} + ${days}::int`);
  return sql`(${sql.join(again, sql` or `)})`;
}

/** The day of a date in another year; 29 February is the 28th where there is none. */
function inYear(date: Expression, year: number): Expression {
  return sql`(${date} + make_interval(years => ${year}::int - extract(year from ${date})::int))::date`;
}

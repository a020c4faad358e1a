import { type RawBuilder, sql } from 'kysely';
import { compileComparison } from './compile-comparison.ts';
import type { Condition, Filters } from './filters/filters.ts';

/** Whose people are meant, and when: what counts in days counts from then. */
export interface Occasion {
  customerId: number;
  at: Date;
}

type Sql = RawBuilder<boolean>;

const DAY_MS = 24 * 3600_000;

/** Filters as a condition on `s`, a row of subscribers. */
export function compileFilters(filters: Filters, occasion: Occasion): Sql {
  const groups = filters.map(
    (group) =>
      sql`(${sql.join(
        group.map((condition) => compileCondition(condition, occasion)),
        sql` and `,
      )})`,
  );
  // Within a case the planner takes it for likely: it goes along the ids and stops as soon as a page is full.
  return sql<boolean>`(case when ${sql.join(groups, sql` or `)} then true else false end)`;
}

/** One condition on `s`; null counts as false. */
export function compileCondition(condition: Condition, occasion: Occasion): Sql {
  const { field, custom } = condition;
  if (custom !== undefined) return compileComparison(condition, occasion.at);
  if (field === 'list') return onLists(condition, occasion);
  return field in MAILED
    ? mailed(field as keyof typeof MAILED, condition, occasion)
    : compileComparison(condition, occasion.at);
}

// The offset keeps each of these a look at one person, which never turns into a walk through everybody's rows.
function onLists({ op, terms }: Condition, { customerId }: Occasion): Sql {
  const on = sql<boolean>`exists (select from subscriptions c where c.customer_id = ${customerId}
    and c.subscriber_id = s.id and c.subscription_list_id = any(${terms}::bigint[]) and c.active offset 0)`;
  return op === 'is' ? on : sql`not ${on}`;
}

/** What tells that somebody did something with a mailing, and when; machines do not count. */
const MAILED = {
  received: { table: 'mailing_recipients', when: 'settled_at', fits: sql`m.state in ('delivered', 'sent')` },
  opened: { table: 'mailing_engagement', when: 'first_opened_at', fits: sql`m.first_opened_at is not null` },
  clicked: { table: 'mailing_engagement', when: 'first_clicked_at', fits: sql`m.first_clicked_at is not null` },
} as const;

function mailed(field: keyof typeof MAILED, { op, terms }: Condition, { customerId, at }: Occasion): Sql {
  const { table, when, fits } = MAILED[field];
  const counts = op === 'in_last_days' || op === 'not_in_last_days';
  const ids = counts ? terms.slice(1) : terms;
  const among = ids[0] === 'any' ? sql`` : sql`and m.mailing_id = any(${ids}::bigint[])`;
  const since = new Date(at.getTime() - Number(terms[0]) * DAY_MS);
  const lately = counts ? sql`and ${sql.ref(`m.${when}`)} >= ${since}` : sql``;
  const did = sql<boolean>`exists (select from ${sql.table(table)} m where m.customer_id = ${customerId}
    and m.subscriber_id = s.id and ${fits} ${among} ${lately} offset 0)`;
  return op === 'is' || op === 'in_last_days' ? did : sql`not ${did}`;
}

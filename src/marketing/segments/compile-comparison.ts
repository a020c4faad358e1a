import { type RawBuilder, sql } from 'kysely';
import { NO_WORDS, YES_WORDS } from '../fields/read-value.ts';
import { compileDays } from './compile-days.ts';
import { BUILT_IN } from './filters/fields.ts';
import type { Condition } from './filters/filters.ts';
import type { Kind, Op } from './filters/ops.ts';
import { fits } from './filters/read-terms.ts';

type Sql = RawBuilder<boolean>;
type Expression = RawBuilder<unknown>;

const MOMENTS: Record<string, Expression> = { created_at: sql`s.created_at`, updated_at: sql`s.updated_at` };
const TEXTS: Record<string, Expression> = {
  email: sql`s.email`,
  email_domain: sql`split_part(s.email, '@', -1)`,
  first_name: sql`s.first_name`,
  last_name: sql`s.last_name`,
  full_name: sql`concat_ws(' ', s.first_name, s.last_name)`,
  phone_number: sql`s.phone_number`,
  time_zone: sql`s.time_zone`,
  unsubscribed: sql`case when s.unsubscribed_at is null then 'false' else 'true' end`,
};

const SIGNS: Partial<Record<Op, { sign: Expression; as: 'number' | 'date' }>> = {
  more_than: { sign: sql`>`, as: 'number' },
  less_than: { sign: sql`<`, as: 'number' },
  at_least: { sign: sql`>=`, as: 'number' },
  at_most: { sign: sql`<=`, as: 'number' },
  after: { sign: sql`>`, as: 'date' },
  before: { sign: sql`<`, as: 'date' },
  on_or_after: { sign: sql`>=`, as: 'date' },
  on_or_before: { sign: sql`<=`, as: 'date' },
};

type Compile = (condition: Condition, kind: Kind) => Sql;

const COMPARISONS: Partial<Record<Op, Compile>> = {
  is: isAmong,
  is_not: (condition, kind) => denied(isAmong(condition, kind)),
  contains: (condition) => isLike(condition, (term) => `%${term}%`),
  not_contains: (condition) => denied(isLike(condition, (term) => `%${term}%`)),
  starts_with: (condition) => isLike(condition, (term) => `${term}%`),
  ends_with: (condition) => isLike(condition, (term) => `%${term}`),
  is_empty: (condition) => sql`coalesce(${textOf(condition)}, '') = ''`,
  is_not_empty: (condition) => sql`${textOf(condition)} <> ''`,
  between: isBetween,
};

/** A comparison of something that is known of `s`; who has no such value fits only what is denied. */
export function compileComparison(condition: Condition, at: Date): Sql {
  const { field, op, terms, custom } = condition;
  const compile = COMPARISONS[op];
  if (compile !== undefined) return compile(condition, custom?.kind ?? (BUILT_IN.get(field) as Kind));
  const signed = SIGNS[op];
  if (signed === undefined) return compileDays(op, valueAs('date', condition), Number(terms[0]), at);
  return sql`${valueAs(signed.as, condition)} ${signed.sign} ${termAs(signed.as, terms[0])}`;
}

function isBetween(condition: Condition, kind: Kind): Sql {
  const [from = '', to = ''] = condition.terms;
  const as = kind === 'text' ? (fits('number', from) ? 'number' : 'date') : kind;
  return sql`${valueAs(as, condition)} between ${termAs(as, from)} and ${termAs(as, to)}`;
}

function isAmong(condition: Condition, kind: Kind): Sql {
  const terms = condition.terms.map((term) => termAs(kind, term));
  return sql`${valueAs(kind, condition)} in (${sql.join(terms)})`;
}

function isLike(condition: Condition, patternOf: (term: string) => string): Sql {
  const patterns = condition.terms.map((term) => sql`lower(${patternOf(term.replace(/[\\%_]/g, '\\$&'))})`);
  return sql`lower(${textOf(condition)}) like any(array[${sql.join(patterns)}])`;
}

function denied(asked: Sql): Sql {
  return sql`not coalesce(${asked}, false)`;
}

function textOf({ field, custom }: Condition): Expression {
  if (custom !== undefined) return sql`(s.fields->>${String(custom.number)}::text)`;
  return TEXTS[field] ?? sql`${MOMENTS[field]}::text`;
}

/** What is known of somebody, as a kind of thing; null where it is none. */
function valueAs(kind: Kind, condition: Condition): Expression {
  const moment = condition.custom === undefined ? MOMENTS[condition.field] : undefined;
  if (moment !== undefined) return sql`(${moment} at time zone 'UTC')::date`;
  const text = textOf(condition);
  if (kind === 'number') return sql`number_in(${text})`;
  if (kind === 'date') return sql`date_in(${text})`;
  if (kind === 'text') return sql`lower(${text})`;
  // A field that was text before may hold other words than those that are kept now.
  return sql`case when lower(${text}) = any(${YES_WORDS}::text[]) then 'true'
    when lower(${text}) = any(${NO_WORDS}::text[]) then 'false' end`;
}

function termAs(kind: Kind, term: string | undefined): Expression {
  if (kind === 'number') return sql`${term}::numeric`;
  if (kind === 'date') return sql`${term}::date`;
  return kind === 'text' ? sql`lower(${term})` : sql`${term}::text`;
}

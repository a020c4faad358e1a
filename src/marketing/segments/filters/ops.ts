const EMPTINESS = ['is_empty', 'is_not_empty'] as const;
const TEXTS = ['contains', 'not_contains', 'starts_with', 'ends_with'] as const;
const NUMBERS = ['more_than', 'less_than', 'at_least', 'at_most'] as const;
const DATES = ['after', 'before', 'on_or_after', 'on_or_before'] as const;
const DAYS = ['in_last_days', 'in_next_days', 'anniversary_in_days'] as const;

export type Op =
  | 'is'
  | 'is_not'
  | 'between'
  | 'not_in_last_days'
  | (typeof EMPTINESS)[number]
  | (typeof TEXTS)[number]
  | (typeof NUMBERS)[number]
  | (typeof DATES)[number]
  | (typeof DAYS)[number];

/** What a condition can be about; a text may also be asked whether it is a number or a date that fits. */
export type Kind = 'text' | 'number' | 'date' | 'yes_no' | 'list' | 'mailing';

export const OPS_OF: Record<Kind, readonly Op[]> = {
  text: ['is', 'is_not', ...TEXTS, ...EMPTINESS, ...NUMBERS, ...DATES, 'between', ...DAYS],
  number: ['is', 'is_not', ...NUMBERS, 'between', ...EMPTINESS],
  date: ['is', 'is_not', ...DATES, 'between', ...DAYS, ...EMPTINESS],
  yes_no: ['is', 'is_not', ...EMPTINESS],
  list: ['is', 'is_not'],
  mailing: ['is', 'is_not', 'in_last_days', 'not_in_last_days'],
};

const OTHER_NAMES: Partial<Record<Op, string>> = {
  is: 'eq = == equals equal in any_of one_of is_any_of is_one_of is_in on',
  is_not: 'ne neq != <> not not_equals not_equal does_not_equal not_in none_of is_none_of is_not_in',
  contains: 'includes has',
  not_contains: 'does_not_contain excludes',
  starts_with: 'begins_with',
  is_empty: 'empty blank is_blank is_null is_unknown not_exists',
  is_not_empty: 'not_empty present is_present is_not_null is_known exists',
  more_than: 'gt > greater_than is_more_than is_greater_than',
  less_than: 'lt < is_less_than',
  at_least: 'gte ge >= greater_than_or_equal is_at_least',
  at_most: 'lte le <= less_than_or_equal is_at_most',
  between: 'is_between',
  before: 'is_before',
  after: 'is_after',
  in_last_days: 'within_days within_last_days in_the_last_days',
  not_in_last_days: 'not_within_days not_within_last_days not_in_the_last_days',
  in_next_days: 'within_next_days in_the_next_days',
  anniversary_in_days: 'anniversary birthday_in_days',
};

const BY_NAME = new Map<string, Op>([
  ...Object.values(OPS_OF)
    .flat()
    .map((op) => [op, op] as const),
  ...Object.entries(OTHER_NAMES).flatMap(([op, names]) => names.split(' ').map((name) => [name, op as Op] as const)),
]);

/** Dates are compared under names of their own. */
const ON_DATES: Partial<Record<Op, Op>> = {
  more_than: 'after',
  less_than: 'before',
  at_least: 'on_or_after',
  at_most: 'on_or_before',
};

/** The comparison that a name means, or null where there is none for this kind. */
export function opNamed(name: string, kind: Kind): Op | null {
  const op = BY_NAME.get(
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  if (op === undefined) return null;
  const meant = kind === 'date' ? (ON_DATES[op] ?? op) : op;
  return OPS_OF[kind].includes(meant) ? meant : null;
}

/** What the terms of a comparison are, where that does not follow from what is compared. */
export function termsOf(op: Op): 'none' | 'number' | 'date' | 'days' | 'own' {
  const among = (ops: readonly Op[]) => ops.includes(op);
  if (among(EMPTINESS)) return 'none';
  if (among(NUMBERS)) return 'number';
  if (among(DATES)) return 'date';
  return among(DAYS) ? 'days' : 'own';
}

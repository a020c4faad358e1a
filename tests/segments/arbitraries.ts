import * as fc from 'fast-check';
import type { WireCondition } from '../../src/marketing/segments/filters/filters.ts';
import type { Op } from '../../src/marketing/segments/filters/ops.ts';

/** Texts that are alike but for case, that hold what LIKE reads as a pattern, and that are a number or a date or nearly one. */
export const TEXTS = [
  'Berlin',
  'berlin',
  'BER%',
  'ber_in',
  'a\\b',
  'Größe',
  'größe',
  '"x" or',
  'and',
  '12',
  '12.50',
  '-3',
].concat([
  '+7',
  '.5',
  '1e3',
  '٣',
  '2024-02-29',
  '2024-02-30',
  '1985-03-17 late',
  '2026-11-20',
  'true',
  '0000-01-01',
  'é'.normalize('NFD'),
]);
export const NUMBERS = ['12', '12.5', '-3', '0', '.5', '100000000000000000000000000000'];
export const DATES = ['2024-02-29', '1985-03-17', '2026-11-15', '2026-11-20', '2026-10-31', '1990-01-01', '2027-01-02'];

export interface Ids {
  lists: string[];
  mailings: string[];
}

const texts = fc.constantFrom(...TEXTS);
const numbers = fc.constantFrom(...NUMBERS);
const dates = fc.constantFrom(...DATES);
const days = fc.integer({ min: 1, max: 366 }).map(String);
const several = (term: fc.Arbitrary<string>) => fc.array(term, { minLength: 1, maxLength: 3 });

type Comparison = [Op[], fc.Arbitrary<string[]>];

const none: Comparison = [['is_empty', 'is_not_empty'], fc.constant([])];
const ofDays: Comparison = [['in_last_days', 'in_next_days', 'anniversary_in_days'], fc.tuple(days)];
const ofNumbers: Comparison = [['more_than', 'less_than', 'at_least', 'at_most'], fc.tuple(numbers)];
const ofDates: Comparison = [['after', 'before', 'on_or_after', 'on_or_before'], fc.tuple(dates)];

const COMPARISONS: Record<string, Comparison[]> = {
  text: [
    [['is', 'is_not', 'contains', 'not_contains', 'starts_with', 'ends_with'], several(texts)],
    none,
    ofDays,
    ofNumbers,
    ofDates,
    [['between'], fc.oneof(fc.tuple(numbers, numbers), fc.tuple(dates, dates))],
  ],
  number: [[['is', 'is_not'], several(numbers)], none, ofNumbers, [['between'], fc.tuple(numbers, numbers)]],
  date: [[['is', 'is_not'], several(dates)], none, ofDates, ofDays, [['between'], fc.tuple(dates, dates)]],
  yes_no: [[['is', 'is_not'], several(fc.constantFrom('true', 'false'))], none],
};

/** What stands in conditions; custom fields by their names there, beside the kind of each. */
export const CUSTOM = {
  city: 'text',
  'custom_fields.email': 'text',
  'Home "Town"': 'text',
  age: 'number',
  or: 'date',
  Opened: 'yes_no',
};
const PLAIN = { email: 'text', email_domain: 'text', first_name: 'text', last_name: 'text', full_name: 'text' };
const MORE = {
  phone_number: 'text',
  time_zone: 'text',
  created_at: 'date',
  updated_at: 'date',
  unsubscribed: 'yes_no',
};
export const KINDS: Record<string, string> = { ...PLAIN, ...MORE, ...CUSTOM };

function conditionOf(
  field: fc.Arbitrary<string>,
  ops: Op[],
  terms: fc.Arbitrary<string[]>,
): fc.Arbitrary<WireCondition> {
  return fc.record({ field, op: fc.constantFrom(...ops), terms }, { noNullPrototype: true });
}

const comparison = fc
  .constantFrom(...Object.keys(KINDS))
  .chain((field) =>
    fc
      .constantFrom(...(COMPARISONS[KINDS[field] as string] as Comparison[]))
      .chain(([ops, terms]) => conditionOf(fc.constant(field), ops, terms)),
  );

const among = (ids: string[]) => fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 });

function relation({ lists, mailings }: Ids): fc.Arbitrary<WireCondition> {
  const mailed = fc.oneof(fc.constant<string[]>(['any']), among(mailings));
  const lately = fc.tuple(days, mailed).map(([count, others]) => [count, ...others]);
  const field = fc.constantFrom('received', 'opened', 'clicked');
  return fc.oneof(
    conditionOf(fc.constant('list'), ['is', 'is_not'], among(lists)),
    conditionOf(field, ['is', 'is_not'], mailed),
    conditionOf(field, ['in_last_days', 'not_in_last_days'], lately),
  );
}

/** Filters that make sense, in the form that they are read back in. */
export function filtersWith(ids: Ids): fc.Arbitrary<WireCondition[][]> {
  const condition = fc.oneof({ weight: 3, arbitrary: comparison }, { weight: 1, arbitrary: relation(ids) });
  const group = fc.array(condition, { minLength: 1, maxLength: 3 });
  return fc.array(group, { minLength: 1, maxLength: 3 });
}

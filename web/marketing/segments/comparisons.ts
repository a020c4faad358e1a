import { words } from '../../words/segments.ts';
import type { Kind } from './fields.ts';

const EMPTINESS = ['is_empty', 'is_not_empty'];
const TEXTS = ['contains', 'not_contains', 'starts_with', 'ends_with'];
const NUMBERS = ['more_than', 'less_than', 'at_least', 'at_most'];
const DATES = ['after', 'before', 'on_or_after', 'on_or_before'];
const DAYS = ['in_last_days', 'in_next_days', 'anniversary_in_days'];

const OPS: Record<Kind, readonly { label: string | null; ops: readonly string[] }[]> = {
  text: [
    { label: words.opGroups.text, ops: ['is', 'is_not', ...TEXTS, ...EMPTINESS] },
    { label: words.opGroups.number, ops: [...NUMBERS, 'between'] },
    { label: words.opGroups.date, ops: [...DATES, ...DAYS] },
  ],
  number: [{ label: null, ops: ['is', 'is_not', ...NUMBERS, 'between', ...EMPTINESS] }],
  date: [{ label: null, ops: ['is', 'is_not', ...DATES, 'between', ...DAYS, ...EMPTINESS] }],
  yes_no: [{ label: null, ops: ['is', ...EMPTINESS] }],
  list: [{ label: null, ops: ['is', 'is_not'] }],
  mailing: [{ label: null, ops: ['is', 'is_not', 'in_last_days', 'not_in_last_days'] }],
};

/** The comparisons that there are for a kind, in groups; a group may have a name. */
export function comparisonsOf(
  kind: Kind,
  current: string,
): readonly { label: string | null; ops: readonly string[] }[] {
  const groups = OPS[kind];
  const isOffered = groups.some(({ ops }) => ops.includes(current));
  // A yes-or-no field may be compared by `is not` in rules that came by the API.
  return isOffered ? groups : [...groups, { label: null, ops: [current] }];
}

/** How a comparison is said for a kind. */
export function comparisonLabel(kind: Kind, op: string): string {
  if (kind === 'list') return words.listOps[op] ?? op;
  return (kind === 'mailing' ? words.mailingOps[op] : words.ops[op]) ?? op;
}

/** What the values of a comparison are. */
type Wanted = 'nothing' | 'days' | 'days and mailings' | 'range' | 'one' | 'some';

/** How many values a comparison takes, and of what sort. */
export function wantedBy(kind: Kind, op: string): Wanted {
  if (EMPTINESS.includes(op)) return 'nothing';
  if (kind === 'mailing') return op.endsWith('in_last_days') ? 'days and mailings' : 'some';
  if (DAYS.includes(op)) return 'days';
  if (op === 'between') return 'range';
  return NUMBERS.includes(op) || DATES.includes(op) || kind === 'yes_no' ? 'one' : 'some';
}

/** By which control a value is written. */
export function controlOf(kind: Kind, op: string): 'text' | 'number' | 'date' {
  if (NUMBERS.includes(op)) return 'number';
  if (DATES.includes(op)) return 'date';
  return kind === 'number' || kind === 'date' ? kind : 'text';
}

/** The values with which a comparison begins when it is chosen. */
export function firstTerms(kind: Kind, op: string): string[] {
  const one = kind === 'mailing' ? 'any' : kind === 'yes_no' ? 'true' : '';
  const terms: Record<Wanted, string[]> = {
    nothing: [],
    days: ['30'],
    'days and mailings': ['30', 'any'],
    range: ['', ''],
    one: [one],
    some: [one],
  };
  return terms[wantedBy(kind, op)];
}

import type { Op } from '../filters/ops.ts';

/** How each comparison is said. What is asked of lists and mailings is said otherwise. */
export const PHRASE_OF: Record<Exclude<Op, 'not_in_last_days'>, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  more_than: 'is more than',
  less_than: 'is less than',
  at_least: 'is at least',
  at_most: 'is at most',
  between: 'is between',
  before: 'is before',
  after: 'is after',
  on_or_before: 'is on or before',
  on_or_after: 'is on or after',
  in_last_days: 'is in the last',
  in_next_days: 'is in the next',
  anniversary_in_days: 'has its anniversary in the next',
};

/** The phrases, those of more words first: a shorter one may be the beginning of a longer one. */
export const PHRASES: readonly { op: Op; words: string[] }[] = Object.entries(PHRASE_OF)
  .map(([op, phrase]) => ({ op: op as Op, words: phrase.split(' ') }))
  .toSorted((one, other) => other.words.length - one.words.length);

/** What people can be in a relation to: by the word that says it, the field and the noun of the other side. */
export const RELATIONS: ReadonlyMap<string, { field: string; noun: 'list' | 'mailing' }> = new Map([
  ['on', { field: 'list', noun: 'list' }],
  ['received', { field: 'received', noun: 'mailing' }],
  ['opened', { field: 'opened', noun: 'mailing' }],
  ['clicked', { field: 'clicked', noun: 'mailing' }],
]);

/** Words that are no field unless they stand in quotes. */
export const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not', ...RELATIONS.keys()]);

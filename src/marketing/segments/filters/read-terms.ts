import { missingField } from '../../../platform/errors.ts';
import type { FieldKind } from '../../fields/field-type.ts';
import { readValue } from '../../fields/read-value.ts';
import { type AskedCondition, LONGEST_TERM, MOST_TERMS } from './filters.ts';
import { type Kind, type Op, termsOf } from './ops.ts';

const MOST_DAYS = 3_660;
const DAYS_OF_A_YEAR = 366;
const NUMBERED = /^[1-9]\d{0,14}$/;

/** The terms of a condition, each checked and in the one form that it is kept in. */
export function readTerms(asked: AskedCondition, kind: Kind, op: Op): string[] {
  const { terms } = asked;
  if (terms.length > MOST_TERMS) throw asked.refuse('terms', `takes at most ${MOST_TERMS}`);
  const wanted = termsOf(op);
  if (wanted === 'none') return [];
  if (terms.length === 0) throw asked.refuse('terms', 'is required');
  if (kind === 'list') return terms.map((id) => readId(id, 'no such list'));
  if (kind === 'mailing') return readMailings(asked, op);
  if (op === 'between') return readRange(asked, kind);
  if (wanted === 'own') return terms.map((term) => readOne(asked, kind, term));
  const [only = ''] = terms;
  if (terms.length > 1) throw asked.refuse('terms', 'takes one');
  if (wanted !== 'days') return [readOne(asked, wanted, only)];
  return [readDays(asked, only, op === 'anniversary_in_days' ? DAYS_OF_A_YEAR : MOST_DAYS)];
}

function readOne(asked: AskedCondition, kind: FieldKind, term: string): string {
  if (term === '') throw asked.refuse('terms', 'holds no empty text: is_empty asks for that');
  if (term.length > LONGEST_TERM) throw asked.refuse('terms', `takes at most ${LONGEST_TERM} characters each`);
  const read = readValue(kind, term);
  if ('rule' in read) throw asked.refuse('terms', read.rule);
  return read.value;
}

/** Both ends of a range; those of a text are numbers or dates. */
function readRange(asked: AskedCondition, kind: FieldKind): string[] {
  const { terms } = asked;
  if (terms.length !== 2) throw asked.refuse('terms', 'takes two');
  if (kind !== 'text') return terms.map((term) => readOne(asked, kind, term));
  const as = (['number', 'date'] as const).find((each) => terms.every((term) => term !== '' && fits(each, term)));
  if (as === undefined) throw asked.refuse('terms', 'takes two numbers or two dates');
  return terms;
}

/** Whether a term is of a kind. */
export function fits(kind: FieldKind, term: string): boolean {
  return 'value' in readValue(kind, term);
}

function readDays({ refuse }: AskedCondition, term: string, most: number): string {
  if (!/^\d{1,5}$/.test(term) || Number(term) < 1 || Number(term) > most) {
    throw refuse('terms', `takes a number of days from 1 to ${most}`);
  }
  return String(Number(term));
}

/** Mailings by their ids, or any; where it is about the last days, how many those are comes first. */
function readMailings(asked: AskedCondition, op: Op): string[] {
  const counts = op === 'in_last_days' || op === 'not_in_last_days';
  const [days = '', ...others] = asked.terms;
  const mailings = counts ? others : asked.terms;
  const isAny = mailings.every((term) => term.toLowerCase() === 'any');
  const ids = isAny ? ['any'] : mailings.map((id) => readId(id, 'no such mailing'));
  return counts ? [readDays(asked, days, MOST_DAYS), ...ids] : ids;
}

/** An id within a condition; what cannot be one names nothing. */
function readId(text: string, missing: string): string {
  if (!NUMBERED.test(text)) throw missingField('filters', missing);
  return text;
}

import { type AskedCondition, MOST_TERMS } from '../filters/filters.ts';
import { termsOf } from '../filters/ops.ts';
import type { Cursor } from './cursor.ts';
import { PHRASES, RELATIONS } from './phrases.ts';
import { mistakeAt } from './tokens.ts';

/** Reads one condition of a rule. */
export function parseCondition(cursor: Cursor): AskedCondition {
  const { at } = cursor.here;
  const refuse: AskedCondition['refuse'] = (part, rule) => mistakeAt(at, `${part} ${rule}`);
  return { ...(parseRelation(cursor) ?? parseComparison(cursor)), refuse };
}

type Parts = Omit<AskedCondition, 'refuse'>;

/** `[not] on list 17`, `[not] opened any mailing in the last 30 days`. */
function parseRelation(cursor: Cursor): Parts | null {
  const isNot = cursor.take('not');
  const word = [...RELATIONS.keys()].find((each) => cursor.take(each));
  const relation = RELATIONS.get(word ?? '');
  if (relation === undefined) {
    if (isNot) throw cursor.mistake(`expects one of ${[...RELATIONS.keys()].join(', ')}`);
    return null;
  }
  const { field, noun } = relation;
  const terms = parseOthers(cursor, noun);
  if (noun === 'mailing' && cursor.take('in', 'the', 'last')) {
    return { field, op: isNot ? 'not_in_last_days' : 'in_last_days', terms: [parseDays(cursor), ...terms] };
  }
  return { field, op: isNot ? 'is_not' : 'is', terms };
}

function parseOthers(cursor: Cursor, noun: 'list' | 'mailing'): string[] {
  if (noun === 'mailing' && cursor.take('any', noun)) return ['any'];
  if (cursor.take(`${noun}s`)) return parseList(cursor);
  cursor.expect(noun);
  return [cursor.takeValue(`the id of a ${noun}`).value];
}

/** `city is any of ("Berlin", "Bonn")`, `age is between 20 and 30`. */
function parseComparison(cursor: Cursor): Parts {
  const field = cursor.takeValue('a field').value;
  const phrase = PHRASES.find(({ words }) => cursor.take(...words));
  if (phrase === undefined) return { field, op: cursor.takeValue('a comparison').value, terms: parseTerms(cursor) };
  const { op } = phrase;
  const wanted = termsOf(op);
  if (wanted === 'none') return { field, op, terms: [] };
  if (wanted === 'days') return { field, op, terms: [parseDays(cursor)] };
  if (op !== 'between') return { field, op, terms: parseTerms(cursor) };
  const from = cursor.takeValue('a number or a date').value;
  cursor.expect('and');
  return { field, op, terms: [from, cursor.takeValue('a number or a date').value] };
}

function parseDays(cursor: Cursor): string {
  const days = cursor.takeValue('a number of days').value;
  if (!cursor.take('day')) cursor.expect('days');
  return days;
}

function parseTerms(cursor: Cursor): string[] {
  const isAny = cursor.take('any', 'of');
  return isAny || cursor.here.value === '(' ? parseList(cursor) : [cursor.takeValue('a value').value];
}

function parseList(cursor: Cursor): string[] {
  cursor.expect('(');
  const terms: string[] = [];
  do {
    terms.push(cursor.takeValue('a value').value);
    if (terms.length > MOST_TERMS) throw cursor.mistake(`takes at most ${MOST_TERMS} values`);
  } while (cursor.take(','));
  cursor.expect(')');
  return terms;
}

import type { WireCondition } from '../filters/filters.ts';
import { termsOf } from '../filters/ops.ts';
import { PHRASE_OF, RELATIONS, RESERVED } from './phrases.ts';

const PLAIN_FIELD = /^[a-z_][\w.]*$/i;
const PLAIN_TERM = /^(-?\d+(\.\d+)?|\d{4}-\d\d-\d\d|true|false)$/;
const RELATION_OF = new Map([...RELATIONS].map(([word, { field, noun }]) => [field, { word, noun }]));

/** Filters in words, as `parseRule` reads them. */
export function writeRule(filters: readonly WireCondition[][]): string {
  return filters.map((group) => group.map(writeCondition).join(' and ')).join(' or ');
}

function writeCondition({ field, op, terms }: WireCondition): string {
  const relation = RELATION_OF.get(field);
  if (relation !== undefined) return writeRelation(relation, { field, op, terms });
  const name = PLAIN_FIELD.test(field) && !RESERVED.has(field.toLowerCase()) ? field : quoted(field);
  const phrase = PHRASE_OF[op as keyof typeof PHRASE_OF];
  return [name, phrase, ...writeTerms(op, terms)].join(' ');
}

function writeRelation({ word, noun }: { word: string; noun: string }, { op, terms }: WireCondition): string {
  const counts = op === 'in_last_days' || op === 'not_in_last_days';
  const [days = '', ...others] = terms;
  const ids = counts ? others : terms;
  const not = op === 'is_not' || op === 'not_in_last_days' ? 'not ' : '';
  const among = ids.length === 1 ? `${noun} ${ids[0]}` : `${noun}s (${ids.join(', ')})`;
  return `${not}${word} ${ids[0] === 'any' ? `any ${noun}` : among}${counts ? ` in the last ${days} days` : ''}`;
}

function writeTerms(op: WireCondition['op'], terms: string[]): string[] {
  const written = terms.map((term) => (PLAIN_TERM.test(term) ? term : quoted(term)));
  if (written.length === 0) return [];
  if (termsOf(op) === 'days') return [...written, 'days'];
  if (op === 'between') return [written.join(' and ')];
  return written.length === 1 ? written : [`any of (${written.join(', ')})`];
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

import { isPlain, type Plain } from '../model/compile/settings.ts';
import { LONGEST_EXPRESSION } from '../model/expression/syntax.ts';
import { writeExpression } from '../model/expression/write.ts';
import { choiceIn } from './codings.ts';
import type { ItemKind } from './kinds-of-items.ts';
import type { ReadingNotes } from './reading-notes.ts';

/** What a linkId leads to: the name of the question as conditions write it, and what it became. */
export type FindByLinkId = (linkId: string) => { name: string; kind: ItemKind; isList: boolean } | undefined;

const SIGNS = new Map([
  ['=', '=='],
  ['!=', '!='],
  ['>', '>'],
  ['<', '<'],
  ['>=', '>='],
  ['<=', '<='],
]);

/** The conditions of an item as an expression; null where it has none that can be carried over. */
export function readEnableWhen(item: Plain, find: FindByLinkId, notes: ReadingNotes): string | null {
  const whens = Array.isArray(item['enableWhen']) ? item['enableWhen'].filter(isPlain) : [];
  if (whens.length === 0) return null;
  const conditions = whens.flatMap((when) => conditionOf(when, find) ?? []);
  const all = conditions.length < whens.length ? null : joined(conditions, item['enableBehavior'] === 'any');
  if (all === null) notes.add(item, 'a condition could not be carried over: the question is always asked');
  return all;
}

/** Several conditions as one; null where that would be too long, which is looked at before any text is copied. */
function joined(conditions: readonly string[], isAny: boolean): string | null {
  const [only = ''] = conditions;
  const length = conditions.reduce((sum, condition) => sum + condition.length, 0);
  if (length > LONGEST_EXPRESSION) return null;
  if (conditions.length === 1) return only;
  const all = conditions.map((condition) => `(${condition})`).join(isAny ? ' or ' : ' and ');
  return all.length > LONGEST_EXPRESSION ? null : all;
}

function conditionOf(when: Plain, find: FindByLinkId): string | null {
  const { question, operator } = when;
  const found = typeof question === 'string' ? find(question) : undefined;
  if (found === undefined) return null;
  const { name } = found;
  if (operator === 'exists') return when['answerBoolean'] === false ? `empty(${name})` : `not empty(${name})`;
  const sign = SIGNS.get(String(operator));
  const value = literalOf(when);
  if (sign === undefined || value === null || found.isList) return null;
  if (found.kind !== 'checkboxes') return sign === '==' ? `${name} in [${value}]` : `${name} ${sign} ${value}`;
  if (sign === '==') return `${name} in [${value}]`;
  return sign === '!=' ? `not empty(${name}) and not (${name} in [${value}])` : null;
}

/** What an answer is compared with. */
function literalOf(when: Plain): string | null {
  const [key, value] = Object.entries(when).find(([name]) => name.startsWith('answer')) ?? [];
  if (key === 'answerCoding') return literal(choiceIn(value)?.value);
  if (key === 'answerQuantity') return literal(isPlain(value) ? value['value'] : undefined);
  if (key === 'answerDateTime') return literal(typeof value === 'string' ? value.slice(0, 10) : undefined);
  return literal(value);
}

function literal(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  return writeExpression({ kind: 'literal', value });
}

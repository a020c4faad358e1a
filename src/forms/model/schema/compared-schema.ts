import { isDate } from '../answer-patterns.ts';
import { compare } from '../expression/evaluate.ts';
import type { Comparison, Literal } from '../expression/syntax.ts';
import { areEqual, isTrue, MOST_SEARCHED, numberIn } from '../expression/values.ts';
import type { Question, RepeatingGroup } from '../form-model.ts';
import { answerOfChoice } from '../normalise.ts';
import type { Schema } from './answer-schema.ts';
import { earlierThan, laterThan } from './date-range.ts';

/** Answers of which something holds: a schema, all or none of them, or null where no schema can say it. */
export type Holding = Schema | boolean | null;

/** The answers to a question that compare so with a constant other than null. */
export function comparedSchema(
  question: Question | RepeatingGroup,
  sign: Comparison,
  constant: Exclude<Literal, null>,
): Holding {
  switch (question.kind) {
    case 'yes_no':
    case 'consent':
      return listed([true, false], (value) => compare(sign, value, constant));
    case 'select':
    case 'radio':
      if (question.other) return sign === 'contains' ? null : comparedText(sign, constant);
      return listed(question.choices.map(answerOfChoice), (value) => compare(sign, value, constant));
    case 'number':
    case 'rating':
      return comparedNumber(sign, numberIn(constant));
    case 'text':
    case 'long_text':
      // Of a longer text only the beginning is searched; a character takes up to two places.
      return sign === 'contains' && 2 * question.mostLength > MOST_SEARCHED ? null : comparedText(sign, constant);
    case 'email':
    case 'phone':
    case 'time':
      return comparedText(sign, constant);
    case 'date':
      return isDate(constant) ? comparedDate(sign, constant) : comparedText(sign, constant);
    case 'checkboxes':
      return sign === 'contains' ? chosenSchema(question, [constant]) : sign === '!=';
    case 'matrix':
    case 'group':
      // A table or a list of entries is the same as no constant.
      return sign === '!=';
    case 'address':
    case 'file':
    case 'signature':
    case 'hidden':
    case 'unknown':
    case 'calculated':
      return null;
    default:
      return question satisfies never;
  }
}

/** The answers to a question with checkboxes in which one of the constants is chosen. */
export function chosenSchema(
  question: Extract<Question, { kind: 'checkboxes' }>,
  constants: readonly Literal[],
): Holding {
  if (question.other) {
    return constants.every((constant) => typeof constant === 'string') ? { contains: { enum: constants } } : null;
  }
  const values = question.choices.map(answerOfChoice);
  const sought = values.filter((value) => constants.some((constant) => areEqual(value, constant)));
  return sought.length === 0 ? false : { contains: { enum: sought } };
}

/** The answers to a question that count as true. */
export function trueSchema(question: Question | RepeatingGroup): Holding {
  const { kind } = question;
  if (kind === 'yes_no' || kind === 'consent') return { const: true };
  if (kind === 'number' || kind === 'rating') return { not: { const: 0 } };
  if (kind === 'select' || kind === 'radio') return listed(question.choices.map(answerOfChoice), isTrue);
  return ['hidden', 'unknown', 'file', 'signature', 'calculated'].includes(kind) ? null : true;
}

function listed(values: readonly unknown[], holds: (value: unknown) => boolean): Holding {
  const held = values.filter(holds);
  if (held.length === values.length) return true;
  return held.length === 0 ? false : { enum: held };
}

function comparedNumber(sign: Comparison, constant: number | undefined): Holding {
  if (constant === undefined) return sign === '!=';
  switch (sign) {
    case '==':
      return { const: constant };
    case '!=':
      return { not: { const: constant } };
    case '<':
      return { exclusiveMaximum: constant };
    case '<=':
      return { maximum: constant };
    case '>':
      return { exclusiveMinimum: constant };
    case '>=':
      return { minimum: constant };
    case 'contains':
      return false;
    default:
      return sign satisfies never;
  }
}

function comparedText(sign: Comparison, constant: string | number | boolean): Holding {
  if (sign === 'contains') {
    return typeof constant === 'boolean'
      ? false
      : { pattern: String(constant).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&') };
  }
  // A text that writes a number or a truth is the same as it, in more spellings than are worth a pattern.
  if (typeof constant !== 'string') return null;
  if (sign === '==') return { const: constant };
  return sign === '!=' ? { not: { const: constant } } : null;
}

function comparedDate(sign: Comparison, date: string): Holding {
  if (sign === '<' || sign === '<=') return { pattern: earlierThan(date, sign === '<=') };
  if (sign === '>' || sign === '>=') return { pattern: laterThan(date, sign === '>=') };
  return comparedText(sign, date);
}

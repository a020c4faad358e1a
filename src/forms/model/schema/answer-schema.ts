import { DATE, DATE_TIME, EMAIL, LONGEST_EMAIL, LONGEST_PHONE, PHONE, TIME } from '../answer-patterns.ts';
import { type Choice, NO_LIMIT, type Question } from '../form-model.ts';
import { answerOfChoice } from '../normalise.ts';
import { earlierThan, laterThan } from './date-range.ts';

/** A JSON Schema that is an object; `true` and `false` are schemas too. */
export type Schema = Record<string, unknown>;

/** What a normalised answer to a question must be. */
export function answerSchema(question: Question): Schema | true {
  switch (question.kind) {
    case 'text':
    case 'long_text':
      return {
        type: 'string',
        ...limits('minLength', question.leastLength, 'maxLength', question.mostLength),
        ...(question.pattern === null ? {} : { pattern: question.pattern }),
        ...(question.format === null ? {} : { allOf: [{ pattern: DATE_TIME }] }),
      };
    case 'number':
      return {
        type: question.whole ? 'integer' : 'number',
        ...(question.least === null ? {} : { minimum: question.least }),
        ...(question.most === null ? {} : { maximum: question.most }),
        ...(question.multipleOf === null ? {} : { multipleOf: question.multipleOf }),
      };
    case 'rating':
      return { type: 'integer', minimum: question.least, maximum: question.most };
    case 'email':
      return { type: 'string', maxLength: LONGEST_EMAIL, pattern: EMAIL };
    case 'phone':
      return { type: 'string', maxLength: LONGEST_PHONE, pattern: PHONE };
    case 'time':
      return { type: 'string', pattern: TIME };
    case 'date':
      return { type: 'string', allOf: datePatterns(question).map((pattern) => ({ pattern })) };
    case 'address':
      return { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }] };
    case 'select':
    case 'radio':
      return oneOf(question.other ? [] : question.choices);
    case 'checkboxes':
      return {
        type: 'array',
        items: oneOf(question.other ? [] : question.choices),
        ...(question.unique ? { uniqueItems: true } : {}),
        ...limits('minItems', question.least, 'maxItems', question.most),
      };
    case 'yes_no':
      return question.only === null ? { type: 'boolean' } : { const: question.only };
    case 'consent':
      return { type: 'boolean' };
    case 'matrix':
      return {
        type: 'object',
        propertyNames: oneOf(question.rows),
        additionalProperties: oneOf(question.columns),
      };
    case 'file':
    case 'signature':
    case 'hidden':
    case 'unknown':
    case 'calculated':
      return true;
    default:
      return question satisfies never;
  }
}

/** What the answer to a question must be besides where it is required. */
export function requiredSchema(question: Question): Schema | true {
  if (question.kind === 'consent') return { const: true };
  if (question.kind !== 'matrix' || question.rows.length === 0) return true;
  return { required: question.rows.map((row) => row.value) };
}

/** Limits that a form sets, under their two keywords. */
export function limits(leastKey: string, least: number, mostKey: string, most: number): Schema {
  return { ...(least === 0 ? {} : { [leastKey]: least }), ...(most === NO_LIMIT ? {} : { [mostKey]: most }) };
}

function oneOf(choices: readonly Choice[]): Schema {
  return choices.length === 0 ? { type: 'string' } : { enum: choices.map(answerOfChoice) };
}

/** `today` moves, so a schema cannot say it. */
function datePatterns({ earliest, latest }: Extract<Question, { kind: 'date' }>): string[] {
  const patterns = [DATE];
  if (earliest !== null && earliest !== 'today') patterns.push(laterThan(earliest, true));
  if (latest !== null && latest !== 'today') patterns.push(earlierThan(latest, true));
  return patterns;
}

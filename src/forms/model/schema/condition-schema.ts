import { compare, isAmong } from '../expression/evaluate.ts';
import type { Comparison, Expression, Literal } from '../expression/syntax.ts';
import { isEmpty, isTrue } from '../expression/values.ts';
import type { Question, RepeatingGroup } from '../form-model.ts';
import type { Schema } from './answer-schema.ts';
import { chosenSchema, comparedSchema, type Holding, trueSchema } from './compared-schema.ts';

/** The question of a name; undefined where it is always absent, null where it lies outside what a schema can see. */
export type Look = (name: string) => Question | RepeatingGroup | undefined | null;

type Compared = Extract<Expression, { kind: 'compare' }>;

/** The answers for which a condition holds; null where no schema can say it. */
export function conditionSchema(node: Expression, look: Look): Holding {
  switch (node.kind) {
    case 'literal':
      return isTrue(node.value);
    case 'answer':
      return given(look, node.name, trueSchema, false);
    case 'not':
      return negated(conditionSchema(node.of, look));
    case 'and':
      return all([conditionSchema(node.left, look), conditionSchema(node.right, look)]);
    case 'or':
      return any([conditionSchema(node.left, look), conditionSchema(node.right, look)]);
    case 'in':
      return amongSchema(node.of, node.list, look);
    case 'call':
      return node.name === 'empty' ? emptySchema(node.args[0] as Expression, look) : null;
    case 'compare':
      return comparisonSchema(node, look);
    case 'negate':
    case 'reckon':
      return null;
    default:
      return node satisfies never;
  }
}

/** All of several conditions. */
export function all(parts: readonly Holding[]): Holding {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : joined('allOf', parts.filter((part) => part !== true) as Schema[], true);
}

/** Any of several conditions. */
export function any(parts: readonly Holding[]): Holding {
  if (parts.includes(true)) return true;
  return parts.includes(null) ? null : joined('anyOf', parts.filter((part) => part !== false) as Schema[], false);
}

function joined(keyword: 'allOf' | 'anyOf', parts: readonly Schema[], none: boolean): Holding {
  const [first] = parts;
  if (first === undefined) return none;
  return parts.length === 1 ? first : { [keyword]: parts };
}

function negated(condition: Holding): Holding {
  if (condition === null) return null;
  return typeof condition === 'boolean' ? !condition : { not: condition };
}

/** Objects that have an answer of which something holds. */
function given(
  look: Look,
  name: string,
  held: (question: Question | RepeatingGroup) => Holding,
  ifAbsent: boolean,
): Holding {
  const question = look(name);
  if (question === undefined) return ifAbsent;
  const holding = question === null ? null : held(question);
  if (holding === null || holding === false) return holding;
  return { required: [name], ...(holding === true ? {} : { properties: Object.fromEntries([[name, holding]]) }) };
}

/** Of a calculated question the server knows the answer only while it checks. */
function present(question: Question | RepeatingGroup): Holding {
  return question.kind === 'calculated' ? null : true;
}

function emptySchema(of: Expression, look: Look): Holding {
  if (of.kind === 'literal') return isEmpty(of.value);
  return of.kind === 'answer' ? negated(given(look, of.name, present, false)) : null;
}

const FLIPPED = new Map<Comparison, Comparison>([
  ['==', '=='],
  ['!=', '!='],
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

function comparisonSchema({ sign, left, right }: Compared, look: Look): Holding {
  if (left.kind === 'literal' && right.kind === 'literal') return compare(sign, left.value, right.value);
  if (left.kind === 'answer' && right.kind === 'literal') return comparedAnswer(sign, left.name, right.value, look);
  const flipped = FLIPPED.get(sign);
  if (left.kind !== 'literal' || right.kind !== 'answer' || flipped === undefined) return null;
  return comparedAnswer(flipped, right.name, left.value, look);
}

function comparedAnswer(sign: Comparison, name: string, constant: Literal, look: Look): Holding {
  if (constant !== null) return given(look, name, (question) => comparedSchema(question, sign, constant), false);
  if (sign === '==') return negated(given(look, name, present, false));
  return sign === '!=' ? given(look, name, present, false) : false;
}

function amongSchema(of: Expression, list: readonly Expression[], look: Look): Holding {
  if (!list.every((item) => item.kind === 'literal')) return null;
  const constants = list.map((item) => item.value);
  if (of.kind === 'literal') return isAmong(of.value, constants);
  if (of.kind !== 'answer') return null;
  const question = look(of.name);
  if (question?.kind !== 'checkboxes') {
    return any(constants.map((constant) => comparedAnswer('==', of.name, constant, look)));
  }
  const values = constants.filter((constant) => constant !== null);
  const chosen = given(look, of.name, () => chosenSchema(question, values), false);
  return constants.includes(null) ? any([chosen, negated(given(look, of.name, present, false))]) : chosen;
}

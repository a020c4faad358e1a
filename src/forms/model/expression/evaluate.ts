import type { Today } from '../today.ts';
import { callFunction } from './functions.ts';
import { hasEqual } from './lists.ts';
import type { Arithmetic, Comparison, Expression } from './syntax.ts';
import { areDifferent, areEqual, finite, isPartOf, isTrue, numberIn, orderOf, type Value } from './values.ts';

/** What an expression can learn: answers, and nothing of the world but the date. */
export interface Facts {
  /** The answer to a question, undefined where there is none. */
  answer(name: string): unknown;
  /** What the chosen choices of a question count together, undefined where none is chosen. */
  score(name: string): number | undefined;
  /** The date as YYYY-MM-DD. */
  today: Today;
}

/** Whether a condition holds. It always has an answer, whatever the tree and the facts are. */
export function holds(condition: Expression, facts: Facts): boolean {
  return isTrue(evaluate(condition, facts));
}

/** What an expression comes to, undefined where an answer that it needs is absent. It never throws. */
export function evaluate(node: Expression, facts: Facts): Value {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'answer':
      return facts.answer(node.name) ?? undefined;
    case 'not':
      return !holds(node.of, facts);
    case 'negate':
      return reckon('-', 0, numberIn(evaluate(node.of, facts)));
    case 'and':
      return holds(node.left, facts) && holds(node.right, facts);
    case 'or':
      return holds(node.left, facts) || holds(node.right, facts);
    case 'in':
      return isAmong(
        evaluate(node.of, facts),
        node.list.map((item) => evaluate(item, facts)),
      );
    case 'call':
      return callFunction(node, (arg) => evaluate(arg, facts), facts);
    case 'reckon':
      return reckon(node.sign, numberIn(evaluate(node.left, facts)), numberIn(evaluate(node.right, facts)));
    case 'compare':
      return compare(node.sign, evaluate(node.left, facts), evaluate(node.right, facts));
    default:
      return node satisfies never;
  }
}

/** Whether a comparison of two values holds. */
export function compare(sign: Comparison, left: Value, right: Value): boolean {
  if (sign === '==') return areEqual(left, right);
  if (sign === '!=') return areDifferent(left, right);
  if (sign === 'contains') return Array.isArray(left) ? hasEqual(left, right) : isPartOf(left, right);
  const order = orderOf(left, right);
  if (order === undefined) return false;
  if (order === 0) return sign === '<=' || sign === '>=';
  return order < 0 ? sign === '<' || sign === '<=' : sign === '>' || sign === '>=';
}

/** Whether a value, or one of a list of chosen values, is the same as one of those listed. */
export function isAmong(value: Value, list: readonly Value[]): boolean {
  return list.some((item) => (Array.isArray(value) ? hasEqual(value, item) : areEqual(value, item)));
}

function reckon(sign: Arithmetic, left?: number, right?: number): number | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (sign === '+') return finite(left + right);
  if (sign === '-') return finite(left - right);
  return finite(sign === '*' ? left * right : left / right);
}

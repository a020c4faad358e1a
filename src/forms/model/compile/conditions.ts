import { ExpressionMistake, parseExpression } from '../expression/parse.ts';
import { type Expression, type Literal, stepsOf } from '../expression/syntax.ts';
import type { Reading } from './notes.ts';
import { folded, isPlain, Settings } from './settings.ts';

const MOST_RULES = 20;

const SIGNS = new Map([
  ['=', 'equals'],
  ['==', 'equals'],
  ['===', 'equals'],
  ['!=', 'notequals'],
  ['!==', 'notequals'],
]);

/** When an element is shown: its expression and its rules of the older kind together. */
export function readShowWhen(reading: Reading, path: string, settings: Settings): Expression | null {
  const written = readExpression(
    reading,
    `${path}.showWhen`,
    settings.get('showwhen', 'visibleif', 'showif', 'visiblewhen'),
  );
  const older = [settings.get('conditional'), settings.get('logic', 'condition')]
    .flat()
    .slice(0, MOST_RULES)
    .map((rule) => readRule(reading, path, rule));
  return [written, ...older].reduce<Expression | null>(both, null);
}

/** When an element has to be answered besides where it always has to. */
export function readRequireWhen(reading: Reading, path: string, settings: Settings): Expression | null {
  const written = settings.get('requirewhen', 'requiredwhen', 'requireif', 'requiredif');
  return readExpression(reading, `${path}.requireWhen`, written);
}

/** An expression that is written in a form; one with a mistake is ignored. */
export function readExpression(reading: Reading, path: string, source: unknown): Expression | null {
  if (source === undefined || source === '') return null;
  if (typeof source !== 'string') {
    reading.note(path, 'an expression is written as a text');
    return null;
  }
  try {
    return taken(reading, path, parseExpression(source));
  } catch (error) {
    if (!(error instanceof ExpressionMistake)) throw error;
    reading.note(path, `the expression is ignored: ${error.message}`);
    return null;
  }
}

/** An expression, where there is room for it among those of the form. */
function taken(reading: Reading, path: string, expression: Expression): Expression | null {
  if (reading.takeSteps(stepsOf(expression))) return expression;
  reading.note(path, 'the expression is ignored: those of the form are too much work together');
  return null;
}

function both(left: Expression | null, right: Expression | null): Expression | null {
  if (left === null || right === null) return left ?? right;
  return { kind: 'and', left, right };
}

/** `{show, when, eq}`, and `{field, operator, value, action}`: shown or hidden where one answer is one value. */
function readRule(reading: Reading, path: string, rule: unknown): Expression | null {
  if (typeof rule === 'string') return readExpression(reading, `${path}.condition`, rule);
  if (!isPlain(rule)) return null;
  const settings = new Settings(rule);
  const name = settings.text('when', 'field', 'fieldname', 'question');
  if (name === null) return null;
  const sign = settings.text('operator', 'op') ?? 'equals';
  const operator = SIGNS.get(sign) ?? folded(sign);
  const holds = comparison(operator, name, settings.get('eq', 'value', 'equals'));
  if (holds === null) {
    reading.note(`${path}.condition`, 'this kind of rule is not known');
    return null;
  }
  const hides =
    settings.text('action') === null ? isNo(settings.get('show')) : folded(settings.text('action') ?? '') === 'hide';
  return taken(reading, `${path}.condition`, hides ? { kind: 'not', of: holds } : holds);
}

/** `in` is equality that also finds a value among several chosen ones. */
function comparison(operator: string, name: string, value: unknown): Expression | null {
  const of: Expression = { kind: 'answer', name };
  if (operator === 'empty' || operator === 'isempty') return { kind: 'call', name: 'empty', args: [of] };
  if (operator === 'notempty' || operator === 'isnotempty') {
    return { kind: 'not', of: { kind: 'call', name: 'empty', args: [of] } };
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const literal: Expression = { kind: 'literal', value: value satisfies Literal };
  if (operator === 'contains') return { kind: 'compare', sign: 'contains', left: of, right: literal };
  const equals: Expression = { kind: 'in', of, list: [literal] };
  if (['equals', 'equal', 'is', 'eq'].includes(operator)) return equals;
  return ['notequals', 'notequal', 'isnot', 'ne', 'neq'].includes(operator) ? { kind: 'not', of: equals } : null;
}

function isNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

import type { Comparison, Expression, Literal } from '../../../../src/forms/model/expression/syntax.ts';
import { type Known, questionOf } from '../draft/questions.ts';
import { type Rule, type Rules, type Test, testsFor } from './rules.ts';

const TESTS: Record<Comparison, Test> = {
  '==': 'is',
  '!=': 'is_not',
  contains: 'contains',
  '<': 'less',
  '<=': 'at_most',
  '>': 'more',
  '>=': 'at_least',
};

/** The sentences that an expression is made of; null where it says more than sentences can. */
export function readRules(expression: Expression | null, questions: readonly Known[]): Rules | null {
  if (expression === null) return { join: 'and', rules: [] };
  const join = expression.kind === 'or' ? 'or' : 'and';
  const rules = partsOf(expression, join).map((part) => readRule(part, questions));
  return rules.every((rule) => rule !== null) ? { join, rules } : null;
}

function partsOf(expression: Expression, join: 'and' | 'or'): Expression[] {
  if (expression.kind !== join) return [expression];
  return [...partsOf(expression.left, join), ...partsOf(expression.right, join)];
}

function readRule(part: Expression, questions: readonly Known[]): Rule | null {
  const rule = ruleOf(part);
  const question = rule === null ? undefined : questionOf(questions, rule.name);
  if (rule === null || question === undefined) return null;
  const named = { ...rule, name: question.name };
  const isBoolean = question.kind === 'yes_no' || question.kind === 'consent';
  if (isBoolean && named.test === 'is') return { ...named, test: isYes(named.values[0]) ? 'yes' : 'no', values: [] };
  return testsFor(question.kind).includes(named.test) ? named : null;
}

function ruleOf(part: Expression): Rule | null {
  if (part.kind === 'call' && part.name === 'empty') return about(part.args[0], 'unanswered', []);
  if (part.kind === 'not') return oppositeOf(part.of);
  if (part.kind === 'in') {
    const values = part.list.map(literalIn);
    return values.every((value) => value !== null) ? about(part.of, 'one_of', values.map(String)) : null;
  }
  if (part.kind !== 'compare') return null;
  const value = literalIn(part.right);
  if (value === null) return null;
  const { left, sign } = part;
  if (left.kind !== 'call') return about(left, TESTS[sign], [String(value)]);
  if (left.name !== 'age' || (sign !== '<' && sign !== '>=')) return null;
  return about(left.args[0], sign === '<' ? 'age_under' : 'age_at_least', [String(value)]);
}

function oppositeOf(part: Expression): Rule | null {
  const rule = ruleOf(part);
  if (rule?.test === 'unanswered') return { ...rule, test: 'answered' };
  return rule?.test === 'contains' ? { ...rule, test: 'contains_not' } : null;
}

function about(of: Expression | undefined, test: Test, values: string[]): Rule | null {
  return of?.kind === 'answer' ? { name: of.name, test, values } : null;
}

function literalIn(part: Expression): Exclude<Literal, null> | null {
  return part.kind === 'literal' ? part.value : null;
}

function isYes(value: string | undefined): boolean {
  return value?.toLowerCase() === 'true' || value?.toLowerCase() === 'yes';
}

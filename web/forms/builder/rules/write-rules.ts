import type { Comparison, Expression } from '../../../../src/forms/model/expression/syntax.ts';
import { type Known, questionOf } from '../draft/questions.ts';
import type { Rule, Rules, Test } from './rules.ts';

const SIGNS: Partial<Record<Test, Comparison>> = {
  is: '==',
  is_not: '!=',
  contains: 'contains',
  less: '<',
  at_most: '<=',
  more: '>',
  at_least: '>=',
};
const NUMERIC = ['number', 'rating', 'calculated'];

/** The expression that says what the sentences say; null where there are none. */
export function writeRules({ join, rules }: Rules, questions: readonly Known[]): Expression | null {
  return rules
    .map((rule) => writeRule(rule, questions))
    .reduce<Expression | null>((left, right) => (left === null ? right : { kind: join, left, right }), null);
}

function writeRule({ name, test, values }: Rule, questions: readonly Known[]): Expression {
  const answer: Expression = { kind: 'answer', name };
  const [value = ''] = values;
  const isNumber = NUMERIC.includes(questionOf(questions, name)?.kind ?? '');
  switch (test) {
    case 'answered':
      return { kind: 'not', of: { kind: 'call', name: 'empty', args: [answer] } };
    case 'unanswered':
      return { kind: 'call', name: 'empty', args: [answer] };
    case 'yes':
    case 'no':
      return compare('==', answer, { kind: 'literal', value: test === 'yes' });
    case 'one_of':
      return { kind: 'in', of: answer, list: values.map((each) => literal(each, isNumber)) };
    case 'contains_not':
      return { kind: 'not', of: compare('contains', answer, literal(value, false)) };
    case 'age_under':
    case 'age_at_least':
      return compare(
        test === 'age_under' ? '<' : '>=',
        { kind: 'call', name: 'age', args: [answer] },
        literal(value, true),
      );
    case 'is':
    case 'is_not':
    case 'contains':
    case 'less':
    case 'at_most':
    case 'more':
    case 'at_least':
      return compare(SIGNS[test] ?? '==', answer, literal(value, isNumber));
    default:
      return test satisfies never;
  }
}

function compare(sign: Comparison, left: Expression, right: Expression): Expression {
  return { kind: 'compare', sign, left, right };
}

function literal(value: string, isNumber: boolean): Expression {
  const number = Number(value);
  return { kind: 'literal', value: isNumber && value.trim() !== '' && Number.isFinite(number) ? number : value };
}

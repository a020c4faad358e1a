import { isDate } from '../model/answer-patterns.ts';
import type { Comparison, Expression } from '../model/expression/syntax.ts';
import { isTrue, numberIn } from '../model/expression/values.ts';
import type { Question, RepeatingGroup } from '../model/form-model.ts';
import { answerOfChoice } from '../model/normalise.ts';
import { codingOf } from './codings.ts';
import { fhirText, isFhirInteger } from './fhir-text.ts';
import type { EnableWhen, QuestionnaireItem } from './resources.ts';

/** The question that a name stands for where a condition is, with its linkId. */
export type FindAsked = (name: string) => { question: Question | RepeatingGroup; linkId: string } | undefined;

interface Rule {
  behaviour: 'all' | 'any';
  whens: EnableWhen[];
}

type Enabling = Pick<QuestionnaireItem, 'enableWhen' | 'enableBehavior'>;

/** A condition as FHIR says it, where it can say exactly that; nothing where it cannot. */
export function enableWhen(condition: Expression | null, find: FindAsked): Enabling {
  const rule = condition === null ? null : ruleOf(condition, find);
  if (rule === null) return {};
  return {
    enableWhen: rule.whens,
    ...(rule.whens.length > 1 ? { enableBehavior: rule.behaviour } : {}),
  };
}

function ruleOf(node: Expression, find: FindAsked): Rule | null {
  switch (node.kind) {
    case 'and':
      return joined('all', [ruleOf(node.left, find), ruleOf(node.right, find)]);
    case 'or':
      return joined('any', [ruleOf(node.left, find), ruleOf(node.right, find)]);
    case 'answer':
      return one(ticked(node.name, find));
    case 'call':
      return node.name === 'empty' ? one(exists(node.args[0], false, find)) : null;
    case 'in':
      return joined(
        'any',
        node.list.map((item) => one(isAmong(node.of, item, find))),
      );
    case 'compare':
      return one(compared(node.sign, node.left, node.right, find));
    case 'not':
      return ruleOfNot(node.of, find);
    case 'literal':
    case 'negate':
    case 'reckon':
      return null;
    default:
      return node satisfies never;
  }
}

/** What is not equal may also be unanswered. */
function ruleOfNot(node: Expression, find: FindAsked): Rule | null {
  if (node.kind === 'call' && node.name === 'empty') return one(exists(node.args[0], true, find));
  if (node.kind !== 'compare' || node.sign !== '==') return null;
  if (node.right.kind === 'literal' && node.right.value === null) return one(exists(node.left, true, find));
  return joined('any', [one(exists(node.left, false, find)), one(compared('!=', node.left, node.right, find))]);
}

function one(when: EnableWhen | null): Rule | null {
  return when === null ? null : { behaviour: 'all', whens: [when] };
}

/** Rules of one behaviour are one rule; those of the other only where each is a single condition. */
function joined(behaviour: 'all' | 'any', rules: readonly (Rule | null)[]): Rule | null {
  const whens: EnableWhen[] = [];
  for (const rule of rules) {
    if (rule === null || (rule.whens.length > 1 && rule.behaviour !== behaviour)) return null;
    whens.push(...rule.whens);
  }
  return whens.length === 0 ? null : { behaviour, whens };
}

/** What has no items below it, and whose answer stands among the answers. */
function isAnswerable({ kind }: Question | RepeatingGroup): boolean {
  return !['group', 'address', 'matrix', 'file', 'signature', 'calculated', 'hidden'].includes(kind);
}

function exists(of: Expression | undefined, answerBoolean: boolean, find: FindAsked): EnableWhen | null {
  const found = of?.kind === 'answer' ? find(of.name) : undefined;
  if (found === undefined || !isAnswerable(found.question)) return null;
  return { question: found.linkId, operator: 'exists', answerBoolean };
}

/** A question that stands by itself: answered with yes, or not with nothing. */
function ticked(name: string, find: FindAsked): EnableWhen | null {
  const question = find(name)?.question;
  const kind = question?.kind;
  const of: Expression = { kind: 'answer', name };
  if (kind === 'yes_no' || kind === 'consent') return compared('==', of, { kind: 'literal', value: true }, find);
  if (kind === 'number' || kind === 'rating') return compared('!=', of, { kind: 'literal', value: 0 }, find);
  // A choice of nothing or of no is an answer, and counts as none here.
  const hasNo = question !== undefined && 'choices' in question && !question.choices.map(answerOfChoice).every(isTrue);
  return hasNo ? null : exists(of, true, find);
}

const FLIPPED: Partial<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function compared(sign: Comparison, left: Expression, right: Expression, find: FindAsked): EnableWhen | null {
  if (left.kind === 'literal') {
    const flipped = FLIPPED[sign];
    return flipped === undefined || right.kind === 'literal' ? null : compared(flipped, right, left, find);
  }
  if (left.kind !== 'answer' || right.kind !== 'literal') return null;
  if (right.value === null) {
    return sign === '==' || sign === '!=' ? exists(left, sign === '!=', find) : null;
  }
  const found = find(left.name);
  if (found === undefined) return null;
  const { question, linkId } = found;
  if (sign === 'contains') return question.kind === 'checkboxes' ? isAmong(left, right, find) : null;
  // What several values are compared with here is the list of them.
  if (question.kind === 'checkboxes') return null;
  const answer = answerOf(question, right.value, sign === '==' || sign === '!=');
  return answer && { question: linkId, operator: sign === '==' ? '=' : sign, ...answer };
}

/** Whether an answer, or one of several, is a value. */
function isAmong(of: Expression, item: Expression, find: FindAsked): EnableWhen | null {
  if (of.kind !== 'answer' || item.kind !== 'literal') return null;
  if (item.value === null) return exists(of, false, find);
  const found = find(of.name);
  const answer = found === undefined ? null : answerOf(found.question, item.value, true);
  return found === undefined || answer === null ? null : { question: found.linkId, operator: '=', ...answer };
}

type Answer = Omit<EnableWhen, 'question' | 'operator'>;

/** A value of an expression in the type that the answers to a question have, where it means the same there. */
function answerOf(question: Question | RepeatingGroup, value: string | number | boolean, isEquality: boolean) {
  switch (question.kind) {
    case 'number':
    case 'rating':
      return numberAnswer(question.kind === 'rating' || question.whole, numberIn(value));
    case 'date':
      return isDate(value) ? { answerDate: value } : null;
    case 'text':
    case 'long_text':
    case 'email':
    case 'phone':
      return isEquality && isPlainText(value) ? { answerString: value } : null;
    case 'yes_no':
    case 'consent':
      return isEquality ? booleanAnswer(value) : null;
    case 'select':
    case 'radio':
    case 'checkboxes': {
      if (!isEquality || typeof value !== 'string') return null;
      const choice = question.choices.find((each) => each.value === value);
      return choice === undefined ? null : { answerCoding: codingOf(choice) };
    }
    case 'time':
    case 'address':
    case 'matrix':
    case 'file':
    case 'signature':
    case 'hidden':
    case 'unknown':
    case 'calculated':
    case 'group':
      return null;
    default:
      return question satisfies never;
  }
}

function numberAnswer(whole: boolean, number: number | undefined): Answer | null {
  if (number === undefined) return null;
  if (!whole) return { answerDecimal: number };
  return isFhirInteger(number) ? { answerInteger: number } : null;
}

function booleanAnswer(value: string | number | boolean): Answer | null {
  const word = String(value).toLowerCase();
  if (value === true || (typeof value === 'string' && ['true', 'yes'].includes(word))) return { answerBoolean: true };
  const isNo = value === false || (typeof value === 'string' && ['false', 'no'].includes(word));
  return isNo ? { answerBoolean: false } : null;
}

/** A text that FHIR can hold as it is. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && fhirText(value) === value;
}

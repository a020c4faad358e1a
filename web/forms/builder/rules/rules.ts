import type { ElementKind } from '../draft/kinds.ts';

/** How an answer is compared in one rule. */
export type Test =
  | 'is'
  | 'is_not'
  | 'one_of'
  | 'contains'
  | 'contains_not'
  | 'less'
  | 'at_most'
  | 'more'
  | 'at_least'
  | 'age_under'
  | 'age_at_least'
  | 'yes'
  | 'no'
  | 'answered'
  | 'unanswered';

/** One sentence of a condition: a question, how its answer is compared and with what. */
export interface Rule {
  name: string;
  test: Test;
  values: readonly string[];
}

/** A condition in sentences, of which all have to hold, or any. */
export interface Rules {
  join: 'and' | 'or';
  rules: readonly Rule[];
}

const PRESENCE: readonly Test[] = ['answered', 'unanswered'];
const ORDER: readonly Test[] = ['is', 'is_not', 'less', 'at_most', 'more', 'at_least'];

/** The comparisons that make sense for the answers to a kind of question. */
export function testsFor(kind: ElementKind): readonly Test[] {
  switch (kind) {
    case 'select':
    case 'radio':
      return ['is', 'is_not', 'one_of', ...PRESENCE];
    case 'checkboxes':
      return ['contains', 'contains_not', ...PRESENCE];
    case 'number':
    case 'rating':
    case 'calculated':
      return [...ORDER, ...PRESENCE];
    case 'date':
      return [...ORDER, 'age_under', 'age_at_least', ...PRESENCE];
    case 'time':
      return [...ORDER, ...PRESENCE];
    case 'yes_no':
    case 'consent':
      return ['yes', 'no', ...PRESENCE];
    case 'text':
    case 'long_text':
    case 'email':
    case 'phone':
    case 'hidden':
    case 'unknown':
      return ['is', 'is_not', 'contains', 'contains_not', ...PRESENCE];
    case 'address':
    case 'matrix':
    case 'file':
    case 'signature':
    case 'group':
      return PRESENCE;
    case 'heading':
    case 'section':
    case 'ornament':
      return [];
    default:
      return kind satisfies never;
  }
}

/** Whether a comparison needs something to compare with. */
export function takesValue(test: Test): boolean {
  return !['yes', 'no', 'answered', 'unanswered'].includes(test);
}

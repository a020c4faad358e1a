import { NO_LIMIT, type Question, type RepeatingGroup } from '../model/form-model.ts';
import type { Change } from './change.ts';
import type { Part } from './parts.ts';
import { labelOf, told } from './parts.ts';

/** What is told otherwise than as a rule. */
const NOT_RULES = new Set('id name label kind items choices rows columns showWhen requireWhen formula'.split(' '));

const WORDS: Record<string, string> = {
  help: 'the help',
  text: 'the text that is agreed to',
  leastLength: 'the least length',
  mostLength: 'the greatest length',
  pattern: 'the pattern',
  least: 'the least',
  most: 'the most',
  format: 'how it is written',
  whole: 'whole numbers only',
  multipleOf: 'what it is a multiple of',
  only: 'the only answer',
  earliest: 'the earliest date',
  latest: 'the latest date',
  other: 'an answer in own words',
  mostBytes: 'the size of a file in bytes',
  accept: 'the kinds of files',
  required: 'required',
  prefill: 'filled in from the address',
  deidentify: 'what an export without identities does with it',
};

type Asked = Question | RepeatingGroup;

/** How the rules of a question changed; rules that only one of two kinds has are no change of their own. */
export function ruleChanges(before: Asked, part: Part & { item: Asked }): Change[] {
  const after = part.item;
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...old.keys()].flatMap((rule) => {
    if (NOT_RULES.has(rule) || !now.has(rule)) return [];
    const [was, is] = [valueInWords(old.get(rule)), valueInWords(now.get(rule))];
    if (was === is) return [];
    const sentence = sentenceOf(told(part), rule, was, is);
    return [{ change: 'rule', item: after.id, label: labelOf(part), sentence, before: was, after: is }];
  });
}

function sentenceOf(subject: string, rule: string, was: string, is: string): string {
  if (rule === 'required')
    return `${upper(subject)} ${is === 'yes' ? 'has to be answered now' : 'may be left out now'}.`;
  return `${upper(subject)}: ${WORDS[rule] ?? rule} changed from ${was} to ${is}.`;
}

function valueInWords(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (value === NO_LIMIT) return 'no limit';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ');
  return JSON.stringify(value);
}

/** A sentence begins with a large letter. */
export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { isBlank, own, plainText } from '../export/answer-text.ts';
import { choiceWith } from '../model/choice-with.ts';
import type { Choice } from '../model/form-model.ts';
import type { Answered } from '../model/questions.ts';
import { ageAt, ageLabel, ageText, yearText } from './ages.ts';
import type { Treated } from './treated-questions.ts';
import { zip3Of } from './zip3.ts';

/** When answers were given, and which of them nobody had asked for. */
export interface Given {
  day: Date;
  unasked: ReadonlySet<string>;
}

/** Stands for what somebody wrote instead of choosing. */
const OWN_WORDS = 'Other';
const JOINT = '; ';
/** What is answered with a number, or with yes or no. */
const COUNTED = new Set<Answered['kind']>(['number', 'calculated', 'rating', 'yes_no', 'consent']);

/** What may be told of an answer, in words; the empty text where nothing may. */
export function deidentifiedText(treated: Treated, answer: unknown, given: Given): string {
  const { question, treatment } = treated;
  if (isBlank(answer)) return '';
  switch (treatment) {
    case 'drop':
      return '';
    case 'keep':
      return keptText(question, answer);
    case 'year':
      return yearText(given.day, answer);
    case 'born':
      return ageAt(given.day, answer);
    case 'age':
      return choicesOf(question).length > 0 ? chosenText(question, answer, ageLabel) : ageText(answer);
    case 'zip':
      return zip3Of(answer);
    case 'zip-of-address':
      return zip3Of(['zip', 'postal_code'].map((part) => own(answer, part)).find((part) => !isBlank(part)));
    case 'entries':
      return Array.isArray(answer) ? entriesText(treated, answer, given) : '';
    default:
      return treatment satisfies never;
  }
}

/** What was chosen in one row of a matrix, where it could be chosen. */
export function deidentifiedRow(columns: Choice[], row: Choice, answer: unknown): string {
  const chosen = own(answer, row.value);
  return isBlank(chosen) ? '' : (labelOf(columns, chosen) ?? '');
}

/** The questions of a group of which something may be told. A matrix has no room in a line of an entry. */
export function toldItems({ items }: Treated): Treated[] {
  return items.filter(({ question, treatment }) => question.kind !== 'matrix' && treatment !== 'drop');
}

/** What is kept whole. Nothing that somebody wrote passes where they were to choose, count or say yes. */
function keptText(question: Answered, answer: unknown): string {
  if (choicesOf(question).length > 0) return chosenText(question, answer, (label) => label);
  const isPlain = !COUNTED.has(question.kind) || typeof answer === 'number' || typeof answer === 'boolean';
  return isPlain ? plainText(answer) : '';
}

function chosenText(question: Answered, answer: unknown, tell: (label: string) => string): string {
  return (Array.isArray(answer) ? answer : [answer])
    .map((value) => labelOf(choicesOf(question), value))
    .map((label) => (label === undefined ? OWN_WORDS : tell(label)))
    .join(JOINT);
}

function choicesOf(question: Answered): Choice[] {
  return 'choices' in question ? question.choices : [];
}

function entriesText(group: Treated, entries: unknown[], given: Given): string {
  const told = toldItems(group);
  const lines = entries.map((entry, at) => {
    const asked = told.filter(({ question: { name } }) => !given.unasked.has(`${group.question.name}.${at}.${name}`));
    const parts = asked
      .map((item) => [item.question.label, deidentifiedText(item, own(entry, item.question.name), given)])
      .filter(([, text]) => text !== '');
    return `${at + 1}. ${parts.map((part) => part.join(': ')).join(', ')}`.trim();
  });
  return lines.join(JOINT);
}

function labelOf(choices: Choice[], value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? String(value) : plainText(value);
  return choiceWith(choices, text)?.label;
}

import { DATE, EMAIL, LONGEST_EMAIL, LONGEST_PHONE, PHONE, TIME } from '../answer-patterns.ts';
import { hasPattern } from '../customer-pattern.ts';
import { type Choice, NO_LIMIT, type Question } from '../form-model.ts';
import { isRecord } from '../normalise.ts';

const EMAIL_TEXT = new RegExp(EMAIL, 'u');
const PHONE_TEXT = new RegExp(PHONE, 'u');
const TIME_TEXT = new RegExp(TIME, 'u');
const DATE_TEXT = new RegExp(DATE, 'u');

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** What is wrong with an answer that was normalised, in words for the person who gave it; never what they wrote. */
export function problemsOf(question: Question, answer: unknown, today: string): string[] {
  switch (question.kind) {
    case 'text':
    case 'long_text':
      return typeof answer === 'string' ? ofText(question, answer) : ['Please answer with text.'];
    case 'number':
      return ofNumber(question, answer);
    case 'rating':
      return ofRating(question, answer);
    case 'email':
      return matches(EMAIL_TEXT, answer, LONGEST_EMAIL)
        ? []
        : ['Please enter an email address, like name@example.com.'];
    case 'phone':
      return matches(PHONE_TEXT, answer, LONGEST_PHONE) ? [] : ['Please enter a phone number with 7 to 15 digits.'];
    case 'time':
      return matches(TIME_TEXT, answer) ? [] : ['Please enter a time as hours and minutes, like 14:30.'];
    case 'date':
      return matches(DATE_TEXT, answer) ? ofDate(question, answer, today) : ['Please enter a date as YYYY-MM-DD.'];
    case 'address':
      return isAddress(answer) ? [] : ['Please enter an address.'];
    case 'select':
    case 'radio':
      return typeof answer === 'string' && (question.other || isChoice(question.choices, answer))
        ? []
        : ['Please choose one of the listed answers.'];
    case 'checkboxes':
      return ofChosen(question, answer);
    case 'yes_no':
    case 'consent':
      return typeof answer === 'boolean' ? [] : ['Please answer yes or no.'];
    case 'matrix':
      return ofGrid(question, answer);
    case 'file':
    case 'signature':
    case 'hidden':
    case 'calculated':
      return [];
    default:
      return question satisfies never;
  }
}

/** What a required question still lacks, given its answer. */
export function lacksOf(question: Question, answer: unknown): string[] {
  if (question.kind === 'consent') return answer === true ? [] : ['Please agree to this to continue.'];
  if (answer === undefined) return ['Please answer this question.'];
  if (question.kind !== 'matrix' || !isRecord(answer)) return [];
  return question.rows.every((row) => Object.hasOwn(answer, row.value)) ? [] : ['Please answer every row.'];
}

/** How many characters a text has as people count them: by code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function ofText(question: Of<'text' | 'long_text'>, answer: string): string[] {
  const problems: string[] = [];
  const length = lengthOf(answer);
  if (length < question.leastLength) problems.push(`Please enter at least ${characters(question.leastLength)}.`);
  if (length > question.mostLength) problems.push(`Please enter at most ${characters(question.mostLength)}.`);
  if (question.pattern !== null && !hasPattern(question, question.pattern, answer)) {
    problems.push('Please enter this in the form that is asked for.');
  }
  return problems;
}

function ofNumber({ least, most, whole }: Of<'number'>, answer: unknown): string[] {
  if (typeof answer !== 'number' || !Number.isFinite(answer)) return ['Please enter a number.'];
  const problems: string[] = [];
  if (whole && !Number.isInteger(answer)) problems.push('Please enter a whole number.');
  if (least !== null && answer < least) problems.push(`Please enter a number that is at least ${least}.`);
  if (most !== null && answer > most) problems.push(`Please enter a number that is at most ${most}.`);
  return problems;
}

function ofRating({ least, most }: Of<'rating'>, answer: unknown): string[] {
  const fits = Number.isInteger(answer) && (answer as number) >= least && (answer as number) <= most;
  return fits ? [] : [`Please choose a whole number from ${least} to ${most}.`];
}

function ofDate({ earliest, latest }: Of<'date'>, answer: string, today: string): string[] {
  const from = earliest === 'today' ? today : earliest;
  const to = latest === 'today' ? today : latest;
  const problems: string[] = [];
  if (from !== null && answer < from) problems.push(`Please enter a date that is not before ${from}.`);
  if (to !== null && answer > to) problems.push(`Please enter a date that is not after ${to}.`);
  return problems;
}

function ofChosen({ choices, other, least, most }: Of<'checkboxes'>, answer: unknown): string[] {
  if (!Array.isArray(answer) || !answer.every((value) => typeof value === 'string')) {
    return ['Please choose from the listed answers.'];
  }
  const values = new Set(choices.map((choice) => choice.value));
  const problems: string[] = [];
  if (!other && !answer.every((value) => values.has(value))) problems.push('Please choose from the listed answers.');
  if (answer.length < least) problems.push(`Please choose at least ${least}.`);
  if (answer.length > most) problems.push(`Please choose at most ${most}.`);
  return problems;
}

function ofGrid({ rows, columns }: Of<'matrix'>, answer: unknown): string[] {
  const fits =
    isRecord(answer) &&
    Object.entries(answer).every(([row, column]) => {
      const isRow = rows.length === 0 || isChoice(rows, row);
      return isRow && typeof column === 'string' && (columns.length === 0 || isChoice(columns, column));
    });
  return fits ? [] : ['Please choose one of the listed answers in each row.'];
}

function isAddress(answer: unknown): boolean {
  if (typeof answer === 'string') return true;
  return isRecord(answer) && Object.values(answer).every((part) => typeof part === 'string');
}

function isChoice(choices: readonly Choice[], value: string): boolean {
  return choices.some((choice) => choice.value === value);
}

function matches(pattern: RegExp, answer: unknown, longest = NO_LIMIT): answer is string {
  return typeof answer === 'string' && lengthOf(answer) <= longest && pattern.test(answer);
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

import { losesDigits } from '../../../platform/exact-digits.ts';
import { DATE, DATE_TIME, EMAIL, LONGEST_EMAIL, LONGEST_PHONE, PHONE, TIME } from '../answer-patterns.ts';
import { type Choice, NO_LIMIT, type Question } from '../form-model.ts';
import { answerOfChoice, isRecord } from '../normalise.ts';
import type { Say } from '../phrases.ts';
import type { ProblemKey } from '../problems.ts';
import type { Today } from '../today.ts';
import { isMultipleOf } from './multiple.ts';

const EMAIL_TEXT = new RegExp(EMAIL, 'u');
const PHONE_TEXT = new RegExp(PHONE, 'u');
const TIME_TEXT = new RegExp(TIME, 'u');
const DATE_TEXT = new RegExp(DATE, 'u');
const DATE_TIME_TEXT = new RegExp(DATE_TIME, 'u');

/** What an answer is held against beside its question. */
export interface Judging {
  today: Today;
  say: Say<ProblemKey>;
  /** Whether a text has a pattern of the form; the owner keeps what was compiled. */
  hasPattern(owner: object, pattern: string, text: string): boolean;
}

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** What is wrong with an answer that was normalised, in words for the person who gave it; never what they wrote. */
export function problemsOf(question: Question, answer: unknown, judging: Judging): string[] {
  const { say } = judging;
  switch (question.kind) {
    case 'text':
    case 'long_text':
      return typeof answer === 'string' ? ofText(question, answer, judging) : [say('text')];
    case 'number':
      return ofNumber(question, answer, say);
    case 'rating':
      return ofRating(question, answer, say);
    case 'email':
      return matches(EMAIL_TEXT, answer, LONGEST_EMAIL) ? [] : [say('email')];
    case 'phone':
      return matches(PHONE_TEXT, answer, LONGEST_PHONE) ? [] : [say('phone')];
    case 'time':
      return matches(TIME_TEXT, answer) ? [] : [say('time')];
    case 'date':
      return matches(DATE_TEXT, answer) ? ofDate(question, answer, judging) : [say('date')];
    case 'address':
      return isAddress(answer) ? [] : [say('address')];
    case 'select':
    case 'radio':
      return (question.other && typeof answer === 'string') || isChoice(question.choices, answer)
        ? []
        : [say('oneChoice')];
    case 'checkboxes':
      return ofChosen(question, answer, say);
    case 'yes_no':
      return ofTruth(question, answer, say);
    case 'consent':
      return typeof answer === 'boolean' ? [] : [say('yesNo')];
    case 'matrix':
      return ofGrid(question, answer, say);
    case 'file':
    case 'signature':
    case 'hidden':
    case 'unknown':
    case 'calculated':
      return [];
    default:
      return question satisfies never;
  }
}

/** What a required question still lacks, given its answer. */
export function lacksOf(question: Question, answer: unknown, say: Say<ProblemKey>): string[] {
  if (question.kind === 'consent') return answer === true ? [] : [say('agree')];
  if (answer === undefined) return [say('answer')];
  if (question.kind !== 'matrix' || !isRecord(answer)) return [];
  return question.rows.every((row) => Object.hasOwn(answer, row.value)) ? [] : [say('everyRow')];
}

/** How many characters a text has as people count them: by code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function ofText(question: Of<'text' | 'long_text'>, answer: string, { say, hasPattern }: Judging): string[] {
  const problems: string[] = [];
  const length = lengthOf(answer);
  if (length < question.leastLength) problems.push(say('leastCharacters', question.leastLength));
  if (length > question.mostLength) problems.push(say('mostCharacters', question.mostLength));
  if (question.pattern !== null && !hasPattern(question, question.pattern, answer)) {
    problems.push(say('pattern'));
  }
  if (question.format !== null && !DATE_TIME_TEXT.test(answer)) problems.push(say('dateTime'));
  return problems;
}

function ofNumber(question: Of<'number'>, answer: unknown, say: Say<ProblemKey>): string[] {
  const { least, most, whole, multipleOf } = question;
  if (typeof answer === 'string' && losesDigits(answer.trim())) return [say('fewerDigits')];
  if (typeof answer !== 'number' || !Number.isFinite(answer)) return [say('number')];
  const problems: string[] = [];
  if (whole && !Number.isInteger(answer)) problems.push(say('wholeNumber'));
  if (multipleOf !== null && !isMultipleOf(answer, multipleOf)) problems.push(say('multiple', multipleOf));
  if (least !== null && answer < least) problems.push(say('leastNumber', least));
  if (most !== null && answer > most) problems.push(say('mostNumber', most));
  return problems;
}

function ofRating({ least, most }: Of<'rating'>, answer: unknown, say: Say<ProblemKey>): string[] {
  const fits = Number.isInteger(answer) && (answer as number) >= least && (answer as number) <= most;
  return fits ? [] : [say('rating', `${least} to ${most}`)];
}

function ofDate({ earliest, latest }: Of<'date'>, answer: string, { today, say }: Judging): string[] {
  const from = earliest === 'today' ? today.first : earliest;
  const to = latest === 'today' ? today.last : latest;
  const problems: string[] = [];
  if (from !== null && answer < from) problems.push(say('earliest', from));
  if (to !== null && answer > to) problems.push(say('latest', to));
  return problems;
}

function ofChosen({ choices, other, least, most }: Of<'checkboxes'>, answer: unknown, say: Say<ProblemKey>): string[] {
  if (!Array.isArray(answer)) return [say('choices')];
  const answers = new Set<unknown>(choices.map(answerOfChoice));
  const isFit = (value: unknown) => (other ? typeof value === 'string' : answers.has(value));
  const problems: string[] = [];
  if (!answer.every(isFit)) problems.push(say('choices'));
  if (answer.length < least) problems.push(say('leastChoices', least));
  if (answer.length > most) problems.push(say('mostChoices', most));
  return problems;
}

function ofTruth({ only }: Of<'yes_no'>, answer: unknown, say: Say<ProblemKey>): string[] {
  if (typeof answer !== 'boolean') return [say('yesNo')];
  return only === null || answer === only ? [] : [say(only ? 'onlyYes' : 'onlyNo')];
}

function ofGrid({ rows, columns }: Of<'matrix'>, answer: unknown, say: Say<ProblemKey>): string[] {
  const fits =
    isRecord(answer) &&
    Object.entries(answer).every(([row, column]) => {
      const isRow = rows.length === 0 || isChoice(rows, row);
      return isRow && typeof column === 'string' && (columns.length === 0 || isChoice(columns, column));
    });
  return fits ? [] : [say('grid')];
}

function isAddress(answer: unknown): boolean {
  if (typeof answer === 'string') return true;
  return isRecord(answer) && Object.values(answer).every((part) => typeof part === 'string');
}

function isChoice(choices: readonly Choice[], answer: unknown): boolean {
  return choices.some((choice) => answerOfChoice(choice) === answer);
}

function matches(pattern: RegExp, answer: unknown, longest = NO_LIMIT): answer is string {
  return typeof answer === 'string' && lengthOf(answer) <= longest && pattern.test(answer);
}

import { losesDigits } from '../../platform/exact-digits.ts';
import { isDate } from './answer-patterns.ts';
import { choiceWith } from './choice-with.ts';
import type { Choice, Question } from './form-model.ts';

const YES = new Set(['true', 'yes', 'on', '1']);
const NO = new Set(['false', 'no', 'off', '0']);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const AMERICAN_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Whether a value says nothing: null, a text of spaces, an empty list. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * An answer as it is kept: undefined where it says nothing, and as it came where it is not one to this question, which
 * its rules then tell. Repeating groups and calculated questions are not for this function.
 */
export function normaliseAnswer(question: Question, sent: unknown): unknown {
  if (isBlank(sent)) return undefined;
  switch (question.kind) {
    case 'text':
    case 'long_text':
      if (typeof sent === 'number') return String(sent);
      return question.format === null ? sent : trimmed(sent);
    case 'email':
    case 'time':
      return trimmed(sent);
    case 'phone':
      return typeof sent === 'number' ? String(sent) : trimmed(sent);
    case 'date':
      return asDate(trimmed(sent));
    case 'number':
    case 'rating':
      return asNumber(sent);
    case 'yes_no':
    case 'consent':
      return asBoolean(sent);
    case 'signature':
      return isUnsigned(sent) ? undefined : sent;
    case 'select':
    case 'radio':
      return asChoice(question.choices, sent);
    case 'checkboxes':
      return asChosen(question, sent);
    case 'matrix':
      return isRecord(sent) ? asGrid(question, sent) : sent;
    case 'address':
      return isRecord(sent) ? asParts(sent) : sent;
    case 'file':
    case 'hidden':
    case 'unknown':
    case 'calculated':
      return sent;
    default:
      return question satisfies never;
  }
}

/** Whether an answer says in so many words that nothing was signed. */
export function isUnsigned(answer: unknown): boolean {
  if (isRecord(answer) && Object.keys(answer).length === 0) return true;
  return asBoolean(isRecord(answer) && 'confirmed' in answer ? answer.confirmed : answer) === false;
}

/** Whether a value says yes, in one of the ways that clients say it. */
export function isYes(value: unknown): boolean {
  return asBoolean(value) === true;
}

/** Whether a value is an object that is not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function trimmed(sent: unknown): unknown {
  return typeof sent === 'string' ? sent.trim() : sent;
}

function asNumber(sent: unknown): unknown {
  const text = trimmed(sent);
  if (typeof text !== 'string' || !NUMBER.test(text) || losesDigits(text)) return sent;
  const number = Number(text);
  return Number.isFinite(number) ? number : sent;
}

function asBoolean(sent: unknown): unknown {
  const word = String(typeof sent === 'string' || typeof sent === 'number' ? sent : '')
    .trim()
    .toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : sent;
}

function asDate(sent: unknown): unknown {
  const [, month = '', day = '', year = ''] = (typeof sent === 'string' && AMERICAN_DATE.exec(sent)) || [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : sent;
}

/** The answer that a choice stands for. */
export function answerOfChoice({ value, constant }: Choice): string | number | boolean {
  return constant ?? value;
}

/** The choice that an answer is, whether it came as what it stands for or as text. */
export function choiceOfAnswer(choices: readonly Choice[], answer: unknown): Choice | undefined {
  const text = asText(answer);
  return typeof text === 'string' ? choiceWith(choices, text) : undefined;
}

function asText(sent: unknown): unknown {
  return typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : sent;
}

/** The answer of the choice whose value, or else whose label, was sent. */
function asChoice(choices: readonly Choice[], sent: unknown): unknown {
  const text = asText(sent);
  const choice = choiceOfAnswer(choices, sent) ?? choices.find(({ label }) => label === text);
  return choice === undefined ? text : answerOfChoice(choice);
}

/** One value, a list of them, or an object of those that are ticked: `{"a": true, "b": false}`. */
function asChosen({ choices, unique }: Extract<Question, { kind: 'checkboxes' }>, sent: unknown): unknown {
  const ticked = isRecord(sent) && Object.values(sent).every((value) => typeof value === 'boolean');
  const list = ticked ? Object.keys(sent).filter((key) => sent[key] === true) : Array.isArray(sent) ? sent : [sent];
  const answers = new Map<unknown, unknown>(choices.map((choice) => [choice.label, answerOfChoice(choice)]));
  for (const choice of choices) answers.set(choice.value, answerOfChoice(choice));
  const chosen = list
    .filter((value) => !isBlank(value))
    .map(asText)
    .map((text) => (answers.has(text) ? answers.get(text) : text));
  if (chosen.length === 0) return undefined;
  return unique ? [...new Set(chosen)] : chosen;
}

function asGrid({ rows, columns }: Extract<Question, { kind: 'matrix' }>, sent: Record<string, unknown>): unknown {
  const cells = Object.entries(sent)
    .filter(([, value]) => !isBlank(value))
    .map(([row, value]) => [asChoice(rows, row), asChoice(columns, value)]);
  return cells.length === 0 ? undefined : Object.fromEntries(cells);
}

/** A postal code may come as the number that it looks like. */
function asParts(sent: Record<string, unknown>): unknown {
  const parts = Object.entries(sent)
    .filter(([, value]) => !isBlank(value))
    .map(([part, value]) => [part, typeof value === 'number' ? String(value) : value]);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

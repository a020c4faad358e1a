import { choiceWith } from '../model/choice-with.ts';
import type { Choice, Question, RepeatingGroup } from '../model/form-model.ts';

const JOINT = '; ';
/** Objects further down than this are shown as JSON: nobody reads a sentence of five levels. */
const DEEPEST = 3;
/** The order in which the parts of an address are read; parts with other names follow. */
const ADDRESS_PARTS = ['line1', 'line2', 'street', 'city', 'state', 'postal_code', 'zip', 'country'];

const NOTHING: ReadonlySet<string> = new Set();

/** What was answered, in words a reader understands: labels instead of values; the empty text where nothing was. */
export function answerText(
  question: Question | RepeatingGroup,
  answer: unknown,
  unasked: ReadonlySet<string> = NOTHING,
): string {
  return answerLines(question, answer, unasked).join(JOINT);
}

/**
 * The same with each thing that was answered by itself: choices, rows of a matrix, entries of a group, files. What
 * stands in an entry without having been asked is left out.
 */
export function answerLines(
  question: Question | RepeatingGroup,
  answer: unknown,
  unasked: ReadonlySet<string> = NOTHING,
): string[] {
  if (isBlank(answer)) return [];
  switch (question.kind) {
    case 'group':
      return entriesOf(question, answer).map(
        ({ entry, path }, at) => `${at + 1}. ${entryText(question, entry, (key) => unasked.has(`${path}.${key}`))}`,
      );
    case 'select':
    case 'radio':
    case 'checkboxes':
      return list(answer).map((value) => choiceText(question.choices, value));
    case 'matrix':
      return rowsIn(question, answer)
        .map((row) => [row.label, matrixText(question, row, answer)])
        .filter(([, text]) => text !== '')
        .map(([label, text]) => `${label}: ${text}`);
    case 'address':
      return [addressText(answer)];
    case 'file':
      return list(answer).map(fileText);
    case 'signature':
      return [signatureText(answer)];
    case 'text':
    case 'long_text':
    case 'number':
    case 'email':
    case 'phone':
    case 'time':
    case 'date':
    case 'yes_no':
    case 'rating':
    case 'consent':
    case 'hidden':
    case 'unknown':
    case 'calculated':
      break;
  }
  return [plainText(answer)];
}

/** The rows of a matrix; those that were answered where it names none. */
export function rowsIn({ rows }: { rows: Choice[] }, answer: unknown): Choice[] {
  if (rows.length > 0 || typeof answer !== 'object' || answer === null) return rows;
  return Object.keys(answer).map((row) => ({ value: row, label: row, score: null }));
}

/** What was chosen in one row of a matrix. */
export function matrixText(matrix: { columns: Choice[] }, row: Choice, answer: unknown): string {
  const chosen = own(answer, row.value);
  if (isBlank(chosen)) return '';
  return list(chosen)
    .map((value) => choiceText(matrix.columns, value))
    .join(JOINT);
}

/** What stands in the entries of a group without having been asked, by its path. */
export function unaskedInside(
  group: RepeatingGroup,
  answer: unknown,
  unasked: ReadonlySet<string>,
): { path: string; key: string; value: unknown }[] {
  return entriesOf(group, answer).flatMap(({ entry, path }) =>
    Object.entries(typeof entry === 'object' && entry !== null ? entry : {})
      .map(([key, value]) => ({ path: `${path}.${key}`, key, value }))
      .filter((each) => unasked.has(each.path)),
  );
}

/** Any answer in words, of which no question says what it is. */
export function plainText(value: unknown, depth = 0): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object') return '';
  if (depth >= DEEPEST) return jsonText(value);
  if (Array.isArray(value)) return value.map((entry) => plainText(entry, depth + 1)).join(JOINT);
  return Object.entries(value)
    .map(([key, part]) => `${key}: ${plainText(part, depth + 1)}`)
    .join(', ');
}

/** Answers as JSON, of any depth: what is nested too deep to be written is named so. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deep)';
  }
}

/** Whether an answer says nothing. */
export function isBlank(answer: unknown): boolean {
  if (typeof answer === 'string') return answer.trim() === '';
  if (Array.isArray(answer)) return answer.every(isBlankScalar);
  return answer === null || answer === undefined;
}

/** What an object has under a key, and not what its prototype has. */
export function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function isBlankScalar(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function list(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer.filter((entry) => !isBlankScalar(entry)) : [answer];
}

function choiceText(choices: Choice[], value: unknown): string {
  const text = plainText(value);
  // A choice may have the value `true`, which alone would read as Yes.
  const chosen = typeof value === 'boolean' ? String(value) : text;
  return choiceWith(choices, chosen)?.label ?? text;
}

/** The entries of a group that say something, each with the path that they have in the answers. */
function entriesOf({ name }: RepeatingGroup, answer: unknown): { entry: unknown; path: string }[] {
  const entries: unknown[] = Array.isArray(answer) ? answer : [answer];
  return entries
    .map((entry, at) => ({ entry, path: `${name}.${at}` }))
    .filter(({ entry }) => !isBlankScalar(entry) || !Array.isArray(answer));
}

function entryText(group: RepeatingGroup, entry: unknown, isUnasked: (key: string) => boolean): string {
  if (typeof entry !== 'object' || entry === null) return plainText(entry);
  const known = new Map(group.items.filter((item) => item.kind !== 'heading').map((item) => [item.name, item]));
  const asked = [...known.values()].filter(({ name }) => !isBlank(own(entry, name)) && !isUnasked(name));
  const parts = asked.map((item) => `${item.label}: ${answerText(item, own(entry, item.name))}`);
  for (const [key, value] of Object.entries(entry)) {
    if (!known.has(key) && !isUnasked(key)) parts.push(`${key}: ${plainText(value, 1)}`);
  }
  return parts.join(', ');
}

function addressText(answer: unknown): string {
  if (typeof answer === 'string') return linesOf(answer).join(', ');
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return plainText(answer);
  const others = Object.keys(answer).filter((key) => !ADDRESS_PARTS.includes(key));
  const parts = [...ADDRESS_PARTS, ...others].map((key) => own(answer, key));
  return parts
    .filter((part) => !isBlank(part))
    .map((part) => plainText(part, 1))
    .join(', ');
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function fileText(answer: unknown): string {
  const name = own(answer, 'name') ?? own(answer, 'fileName');
  return typeof name === 'string' ? name : plainText(answer);
}

/** A drawing is no text: its bytes would fill a page. */
function signatureText(answer: unknown): string {
  if (typeof answer === 'string') return /^data:/i.test(answer) ? 'Signed' : answer;
  if (answer === true) return 'Signed';
  const name = own(answer, 'name');
  if (typeof name === 'string' && name.trim() !== '') return name;
  return typeof answer === 'object' ? 'Signed' : plainText(answer);
}

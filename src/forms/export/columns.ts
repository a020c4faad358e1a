import { choiceWith } from '../model/choice-with.ts';
import type { FormModel } from '../model/form-model.ts';
import type { Answered } from '../model/questions.ts';
import { answerText, isBlank, jsonText, matrixText, own, plainText, unaskedInside } from './answer-text.ts';
import { type ExportedSubmission, timeText } from './exported-submission.ts';
import { type Keyed, keyedQuestions } from './keyed-questions.ts';

/** What a sheet of Excel has. CSV has no more, so that a row of either stays small enough to be made at once. */
const MOST_COLUMNS = 16_384;
/** Those beside the answers. */
const MOST_BESIDE = 5;

/** What stands in place of answers that only the customer's own keys open. */
const SEALED = '(encrypted end to end)';

/** One table for all submissions of a form, whatever version they were made with. */
export interface Columns {
  headers: string[];
  readers: Reader[];
}

type Reader = (sent: ExportedSubmission, unasked: ReadonlySet<string>) => string;

export interface ColumnChoice {
  /** Keys found in submissions of forms whose shape is unknown; each becomes a column. */
  freeKeys?: string[];
  /** Whether answers that no column shows are given as JSON in a last column. */
  otherAnswers?: boolean;
  /** Whether any submission was amended. */
  amended?: boolean;
}

/** A column of answers: the question of each version, since its name and its choices may have changed. */
interface AnswerColumn {
  header: string;
  questions: Map<number, Answered>;
  /** The row of a matrix question that it shows; null for the whole answer. */
  row: string | null;
}

/**
 * The columns of all versions together. A question keeps its column by its id, under the label it had last, and by its
 * name as well where others of its version have the id; questions stand in the order of the newest version, and those that only older ones had come after.
 * What finds no room any more stands among the other answers.
 */
export function columnsOf(models: { version: number; model: FormModel }[], choice: ColumnChoice = {}): Columns {
  const answers = new Map<string, AnswerColumn>();
  const asked = new Map<number, Map<string, Answered>>();
  for (const { version, questions } of keyedQuestions(models)) {
    const shown = questions.filter((keyed) => addQuestion(answers, version, keyed));
    asked.set(version, new Map(shown.map(({ question }) => [question.name, question])));
  }
  const columns: [string, Reader][] = [['Created At', (sent) => timeText(sent.createdAt)]];
  for (const column of answers.values()) columns.push([column.header, readerOf(column)]);
  const isNamed = (key: string, sent: ExportedSubmission) => asked.get(sent.formVersion)?.has(key) ?? false;
  const free = new Set(choice.freeKeys);
  for (const key of free) columns.push([key, (sent) => (isNamed(key, sent) ? '' : plainText(own(sent.answers, key)))]);
  columns.push(['Attachments', (sent) => sent.attachments.map((file) => file.name).join('; ')]);
  // A signature is kept wherever one is sent, whether or not the form asks for it.
  columns.push(['Signature', readSignature]);
  if (choice.otherAnswers) {
    const readOthers: Reader = (sent, unasked) => {
      const inside = insideOf(sent, unasked, asked.get(sent.formVersion)?.values() ?? []);
      return othersText(sent, (key) => (isNamed(key, sent) ? !unasked.has(key) : free.has(key)), inside);
    };
    columns.push(['Other answers', readOthers]);
  }
  if (choice.amended) columns.push(['Amended At', ({ amendedAt: at }) => (at === undefined ? '' : timeText(at))]);
  return { headers: tellApart(columns.map(([label]) => label)), readers: columns.map(([, reader]) => reader) };
}

/** The text of each cell of a submission's row. */
export function cellsOf(columns: Columns, submission: ExportedSubmission): string[] {
  const unasked = new Set(submission.unasked);
  const isHidden = (place: number) => place > 0 && submission.isSealed === true;
  return columns.readers.map((read, place) => (isHidden(place) ? SEALED : read(submission, unasked)));
}

/** Gives a question its columns; answers false where there is no room, so that it stands among the other answers. */
function addQuestion(columns: Map<string, AnswerColumn>, version: number, { key: ofAll, question }: Keyed): boolean {
  const label = question.label.trim() || question.name;
  const parts = question.kind === 'matrix' && question.rows.length > 0 ? question.rows : [null];
  let isWhole = true;
  for (const part of parts) {
    const row = part?.value ?? null;
    const key = JSON.stringify([ofAll, row]);
    const header = part === null ? label : `${label}: ${part.label}`;
    const column = columns.get(key) ?? { header, questions: new Map<number, Answered>(), row };
    if (!columns.has(key) && columns.size === MOST_COLUMNS - MOST_BESIDE) {
      isWhole = false;
      continue;
    }
    // Two rows of one matrix with one value have one answer.
    if (!column.questions.has(version)) column.questions.set(version, question);
    columns.set(key, column);
  }
  return isWhole;
}

function readerOf({ questions, row }: AnswerColumn): Reader {
  return (sent, unasked) => {
    const question = questions.get(sent.formVersion);
    // What was sent for a question that was not asked was not checked either: it is no answer.
    if (question === undefined || unasked.has(question.name)) return '';
    const answer = own(sent.answers, question.name);
    if (question.kind !== 'matrix' || row === null) return answerText(question, answer, unasked);
    const asked = choiceWith(question.rows, row);
    return asked === undefined ? '' : matrixText(question, asked, answer);
  };
}

function readSignature({ signature }: ExportedSubmission): string {
  if (signature === null) return '';
  return `${signature.name?.trim() || 'Signed'}, ${timeText(signature.signedAt)}`;
}

function othersText(
  sent: ExportedSubmission,
  isShown: (key: string) => boolean,
  inside: [path: string, answer: unknown][],
): string {
  const whole = Object.entries(sent.answers).filter(([key]) => !isShown(key));
  const others = [...whole, ...inside].filter(([, answer]) => !isBlank(answer));
  return others.length === 0 ? '' : jsonText(Object.fromEntries(others));
}

/** What stands unasked in the entries of groups that were asked. */
function insideOf(sent: ExportedSubmission, unasked: ReadonlySet<string>, questions: Iterable<Answered>) {
  return [...questions].flatMap((question): [path: string, answer: unknown][] => {
    if (question.kind !== 'group' || unasked.has(question.name)) return [];
    const found = unaskedInside(question, own(sent.answers, question.name), unasked);
    return found.map(({ path, value }) => [path, value]);
  });
}

/** Equal headers would fall together in every program that reads tables by name. */
export function tellApart(labels: string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return labels.map((label) => {
    const plain = label.replace(/[\s\p{Cc}]+/gu, ' ').trim() || 'Question';
    let header = plain;
    let count = counts.get(plain) ?? 1;
    while (taken.has(header)) {
      count += 1;
      header = `${plain} (${count})`;
    }
    counts.set(plain, count);
    taken.add(header);
    return header;
  });
}

import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FormModel, Item, Page } from '../model/form-model.ts';
import { type Answered, questionsOf } from '../model/questions.ts';
import type { Amendment } from '../rights/amendment.ts';
import { answerLines, isBlank, own, plainText, unaskedInside } from './answer-text.ts';
import { type ExportedSubmission, timeText } from './exported-submission.ts';
import { writeAmendments } from './pdf-amendments.ts';
import { writeAttachments, writeSignature } from './pdf-evidence.ts';
import {
  closePaper,
  isFull,
  type Line,
  leaveOutTheRest,
  openList,
  openPaper,
  type Paper,
  writeEntry,
  writeHeading,
  writeParagraph,
} from './pdf-paper.ts';

export interface PdfInput {
  title: string;
  submission: ExportedSubmission;
  /** The model of the version that was answered. */
  model: FormModel;
  signable: boolean;
  /** What was set right or said against it since. */
  amendments?: Amendment[];
  /**
   * Whether a page, section, heading or question was asked. Without it, a question that has a condition counts as asked
   * where it has an answer, and a heading that has one is left out.
   */
  isAsked?: (item: Item | Page) => boolean;
  /** Off only where somebody wants to read the file's own text. */
  compress?: boolean;
}

/** What stands on the pages one after the other. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'entry'; label: string; lines: Line[] };

const LONGEST_HEADING = 120;
/** Other work gets its turn after this many blocks. */
const BLOCKS_IN_A_ROW = 5;

/** One submission as a tagged PDF: what was asked and answered, further answers, attachments and the signature. */
export function writePdf(input: PdfInput): Readable {
  const title = input.title.replace(/[\s\p{Cc}]+/gu, ' ').trim() || 'Form submission';
  const { id, createdAt } = input.submission;
  const about = { title, subject: `Form submission ${id}`, madeAt: createdAt, compress: input.compress ?? true };
  const paper = openPaper(about);
  writeAll(paper, title, input).catch((error: unknown) => {
    paper.doc.destroy(error instanceof Error ? error : new Error('the PDF could not be written'));
  });
  return paper.doc;
}

async function writeAll(paper: Paper, title: string, input: PdfInput): Promise<void> {
  const { submission } = input;
  writeHeading(paper, 1, title);
  writeParagraph(paper, 'note', aboutText(submission));
  await writeBlocks(paper, blocksOf(input));
  if (paper.doc.destroyed) return;
  await writeAttachments(paper, submission.attachments);
  if (submission.signature !== null || input.signable) await writeSignature(paper, submission.signature);
  await writeAmendments(paper, input.model, input.amendments ?? []);
  if (paper.lacking) {
    const told = 'Where a box stands, the font lacks the sign. Screen readers and the CSV and Excel exports have it.';
    writeParagraph(paper, 'remark', told);
  }
  if (paper.isCut) {
    writeParagraph(
      paper,
      'remark',
      'Where an answer is shortened or left out, the CSV export and the API have the whole of it.',
    );
  }
  await closePaper(paper, `Submission ${submission.id}`);
}

/** Writes one block after the other, until somebody destroys the document. */
export async function writeBlocks(paper: Paper, blocks: Block[]): Promise<void> {
  let list: ReturnType<typeof openList> | null = null;
  for (const [at, block] of blocks.entries()) {
    if (at % BLOCKS_IN_A_ROW === 0) await setImmediate();
    if (paper.doc.destroyed) return;
    if (isFull(paper)) return leaveOutTheRest(paper);
    if (block.kind === 'entry') {
      list ??= openList(paper);
      await writeEntry(paper, list, block.label, block.lines);
    } else {
      list = null;
      if (block.kind === 'heading') writeHeading(paper, block.level, block.text);
      else writeParagraph(paper, 'text', block.text);
    }
  }
}

function aboutText({ id, createdAt, formVersion, submitterEmail }: ExportedSubmission): string {
  const lines = [`Submitted ${timeText(createdAt)} UTC`, `Submission ${id}`, `Form version ${formVersion}`];
  if (submitterEmail !== null) lines.push(`Submitter ${submitterEmail}`);
  return lines.join('\n');
}

/** What was asked and answered, in the order of the form, and further answers behind it. */
export function blocksOf(input: PdfInput): Block[] {
  const { submission, model } = input;
  const blocks = model.pages.flatMap((page) => {
    if (!(input.isAsked?.(page) ?? true)) return [];
    return within(2, page.title, page.items, input);
  });
  const questions = questionsOf(model);
  const known = new Set(questions.map((question) => question.name));
  const free = Object.entries(submission.answers).filter(([key]) => !known.has(key));
  const inside = questions.flatMap((question) => freeInside(question, submission));
  const further = [...free, ...inside].filter(([, answer]) => !isBlank(answer));
  if (further.length > 0) {
    blocks.push({ kind: 'heading', level: 2, text: known.size === 0 ? 'Answers' : 'Further answers' });
    for (const [key, answer] of further) blocks.push(entry(key, [plainText(answer)], null));
  }
  return blocks;
}

/** What stands in the entries of a group under keys that none of its questions has. */
function freeInside(question: Answered, { answers, unasked }: ExportedSubmission): [path: string, answer: unknown][] {
  if (question.kind !== 'group' || unasked.includes(question.name)) return [];
  const known = new Set(question.items.flatMap((item) => (item.kind === 'heading' ? [] : [item.name])));
  const found = unaskedInside(question, own(answers, question.name), new Set(unasked));
  return found.filter(({ key }) => !known.has(key)).map(({ path, value }) => [path, value]);
}

/** A page or section with its title one level above what is in it; nothing where nothing in it was asked. */
function within(level: number, title: string | null, items: Item[], input: PdfInput): Block[] {
  const titled = title !== null && title.trim() !== '';
  const blocks = items.flatMap((item) => blocksOfItem(titled ? level + 1 : level, item, input));
  if (blocks.length === 0) return [];
  return titled ? [{ kind: 'heading', level, text: title }, ...blocks] : blocks;
}

function blocksOfItem(level: number, item: Item, input: PdfInput): Block[] {
  if (item.kind === 'section') {
    if (!(input.isAsked?.(item) ?? true)) return [];
    return within(level, item.title, item.items, input);
  }
  if (item.kind === 'heading') {
    if (!(input.isAsked?.(item) ?? item.showWhen === null) || item.text.trim() === '') return [];
    const isShort = item.text.length <= LONGEST_HEADING && !item.text.includes('\n');
    return [isShort ? { kind: 'heading', level, text: item.text } : { kind: 'text', text: item.text }];
  }
  return blocksOfQuestion(item, input);
}

function blocksOfQuestion(question: Answered, { submission, isAsked }: PdfInput): Block[] {
  if (submission.unasked.includes(question.name)) return [];
  const answer = own(submission.answers, question.name);
  const lines = answerLines(question, answer, new Set(submission.unasked));
  const isBare = lines.every((line) => line.trim() === '');
  const isOwed = isAsked?.(question) ?? (question.showWhen === null || !isBare);
  // Nobody saw a hidden question, so nobody left it unanswered.
  if (!isOwed || (isBare && (question.kind === 'hidden' || question.kind === 'calculated'))) return [];
  const note = question.kind === 'consent' ? question.text : null;
  return [entry(question.label.trim() || question.name, isBare ? [] : lines, note)];
}

function entry(label: string, lines: string[], note: string | null): Block {
  const shown: Line[] = lines.map((line) => ['answer', line]);
  if (shown.length === 0) shown.push(['blank', 'Not answered']);
  if (note !== null && note.trim() !== '') shown.unshift(['note', note]);
  return { kind: 'entry', label, lines: shown };
}

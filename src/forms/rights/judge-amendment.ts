import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { AppError, invalidField } from '../../platform/errors.ts';
import { own } from '../export/answer-text.ts';
import type { Answers, FormModel, QuestionKind } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { todayAt } from '../model/today.ts';
import { checkAnswers } from '../model/validate.ts';
import type { Submission } from '../submissions/submission.ts';
import { refuseLongTexts } from './amendment-size.ts';

/** Signatures and files are evidence of their own, and what is calculated follows from the rest. */
const NEVER_AMENDED = new Set<QuestionKind | 'group'>(['signature', 'file', 'calculated']);

/**
 * Holds a submission with its changes against the form that it answered, as of the day it came; throws naming each
 * question that does not fit. Answers what is other than before, in the form in which it is kept.
 */
export function judgeAmendment(
  model: FormModel,
  submission: Submission,
  changes: Answers,
): { changes: Answers; unasked: string[] } {
  refuseUnknown(model, submission.answers, changes);
  refuseLongTexts(model, changes);
  const whole = Object.fromEntries([...Object.entries(submission.answers), ...Object.entries(changes)]);
  const today = todayAt(submission.createdAt);
  const { answers, problems, unasked } = checkAnswers(model, whole, submission.files, today);
  const signed = new Set(
    questionsOf(model).flatMap(({ kind, name }) =>
      kind === 'signature' && submission.signature !== null ? [name] : [],
    ),
  );
  // What was taken by rules that were laxer once is no fault of the change.
  const { answers: was, problems: before } = checkAnswers(model, submission.answers, submission.files, today);
  const isChanged = (path: string) => Object.keys(changes).some((name) => path === name || path.startsWith(`${name}.`));
  const isOld = (path: string) => Object.hasOwn(before, path) && !isChanged(path);
  const open = Object.entries(problems).filter(([name]) => !signed.has(name) && !isOld(name));
  if (open.length > 0) {
    const detail = open.map(([name, rules]) => `${name}: ${rules.join(', ')}`).join('; ');
    throw new AppError('invalid_request', detail, { fields: Object.fromEntries(open) });
  }
  refuseMovedEvidence(model, submission, answers);
  const different = differences(was, answers);
  if (Object.keys(different).length === 0) throw invalidField('changes', 'must change an answer');
  return { changes: different, unasked };
}

/** SHA-256 of the canonical JSON of answers. */
export function hashOf(answers: Answers): string {
  return createHash('sha256').update(textOf(answers)).digest('hex');
}

/** A key that nobody knows is not repeated in the refusal: it may be anything. */
function refuseUnknown(model: FormModel, answers: Answers, changes: Answers): void {
  if (model.shape === 'unknown') return;
  const questions = new Map(questionsOf(model).map((question) => [question.name, question]));
  for (const name of Object.keys(changes)) {
    const question = questions.get(name);
    if (question === undefined && !Object.hasOwn(answers, name))
      throw invalidField('changes', 'takes the names of questions of this form only');
    if (question !== undefined && NEVER_AMENDED.has(question.kind))
      throw invalidField(name, `a question of the kind ${question.kind} is not amended`);
  }
}

/** Signatures and files within a group stay where they are, and so do the entries that they belong to. */
function refuseMovedEvidence(model: FormModel, { answers, files }: Submission, amended: Answers): void {
  for (const group of questionsOf(model)) {
    if (group.kind !== 'group') continue;
    const names = group.items.flatMap((item) => (item.kind === 'signature' || item.kind === 'file' ? [item.name] : []));
    const [before, after] = [entriesOf(answers, group.name), entriesOf(amended, group.name)];
    const hasFile = (at: number) => files.some(({ field }) => field?.startsWith(`${group.name}.${at}.`));
    const isTold = (entry: unknown) => names.some((name) => own(entry, name) !== undefined);
    const isKept = (entry: unknown, at: number) => {
      const now = after[at];
      if (names.some((name) => textOf(own(entry, name) ?? null) !== textOf(own(now, name) ?? null))) return false;
      if (!isTold(entry) && !hasFile(at)) return true;
      const text = textOf(entry);
      return now !== undefined && (textOf(now) === text || !after.some((other) => textOf(other) === text));
    };
    const isNew = (entry: unknown, at: number) => at >= before.length && isTold(entry);
    if (before.every(isKept) && !after.some(isNew)) continue;
    throw invalidField(group.name, 'entries with a signature or a file stay where they are, with these as they came');
  }
}

function entriesOf(answers: Answers, name: string): unknown[] {
  const entries = answerTo(name, answers);
  return Array.isArray(entries) ? entries : [];
}

function differences(before: Answers, after: Answers): Answers {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => textOf(answerTo(name, before)) !== textOf(answerTo(name, after)));
  return Object.fromEntries(changed.map((name) => [name, answerTo(name, after)]));
}

function answerTo(name: string, answers: Answers): unknown {
  return Object.hasOwn(answers, name) ? (answers[name] ?? null) : null;
}

function textOf(value: unknown): string {
  return canonicalize(value) ?? 'null';
}

import { AppError, invalidField } from '../../platform/errors.ts';
import type { FormVersion } from '../definition/compiled-versions.ts';
import { askedAnswers } from '../model/asked.ts';
import type { Answers } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { checkAnswers } from '../model/validate.ts';
import type { Sent } from './read-submission.ts';
import { type GivenSignature, readSignature } from './signature.ts';

/** A submission that fits its form. */
export interface Checked {
  /** All that was answered, to be kept. */
  answers: Answers;
  /** What may be acted on: without answers to questions that were not asked. */
  asked: Answers;
  unasked: string[];
  signature: GivenSignature | null;
}

/** Holds what was sent against the form; throws naming each field that does not fit. */
export function checkSubmission({ model }: FormVersion, sent: Sent, now: Date): Checked {
  if (sent.files.length > 0 && !model.takesFiles) throw invalidField('attachments', 'are not taken by this form');
  const today = now.toISOString().slice(0, 10);
  const { answers, problems, unasked } = checkAnswers(model, sent.formData, sent.files, today);
  const asked = askedAnswers(model, { answers, unasked });
  const signable = questionsOf(model).filter(({ kind }) => kind === 'signature');
  const signed = signable.map(({ name }) => answerTo(name, answers)).find((answer) => answer !== undefined);
  const signature = readSignature(sent.signature, signed ?? answerTo('signature', sent.formData));
  // A signature beside the answers answers the questions for one.
  const isSigned = ([name]: [string, unknown]) =>
    signature !== null && answerTo(name, answers) === undefined && signable.some((question) => question.name === name);
  const open = Object.entries(problems).filter((problem) => !isSigned(problem));
  if (open.length === 0) return { answers, asked, unasked, signature };
  const detail = open.map(([name, rules]) => `${name}: ${rules.join(', ')}`).join('; ');
  throw new AppError('invalid_request', detail, { fields: Object.fromEntries(open) });
}

/** The answer under a name; an object has names of its own that nobody sent. */
function answerTo(name: string, answers: Answers): unknown {
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}

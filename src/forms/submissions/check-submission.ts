import { AppError, invalidField } from '../../platform/errors.ts';
import type { FormVersion } from '../definition/compiled-versions.ts';
import { askedAnswers } from '../model/asked.ts';
import type { Answers, FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { todayAt } from '../model/today.ts';
import { checkAnswers, placeFiles } from '../model/validate.ts';
import type { Sent } from './read-submission.ts';
import type { SubmittedFile } from './sealed-submission.ts';
import { type GivenSignature, readFreeSignature, readSignature, readSignedAnswer } from './signature.ts';

/** Where a signature may stand among the answers, whether or not a question asks for it. */
const FREE = 'signature';

/** A submission that fits its form. */
export interface Checked {
  /** All that was answered, to be kept. */
  answers: Answers;
  /** What may be acted on: without answers to questions that were not asked. */
  asked: Answers;
  unasked: string[];
  /** Each under the path of the question that it answers. */
  files: SubmittedFile[];
  signature: GivenSignature | null;
}

/** Holds what was sent against the form; throws naming each field that does not fit. */
export function checkSubmission({ model }: FormVersion, sent: Sent, now: Date): Checked {
  if (sent.files.length > 0 && !model.takesFiles) throw invalidField('attachments', 'are not taken by this form');
  const today = todayAt(now);
  const { answers, problems, unasked } = checkAnswers(model, sent.formData, sent.files, today);
  const asked = askedAnswers(model, { answers, unasked });
  const { signature, isOfWhole } = signatureOf(model, sent, asked);
  const isSigned = ([path]: [string, unknown]) =>
    isOfWhole && answerTo(path, answers) === undefined && signatureNames(model).includes(path);
  const open = Object.entries(problems).filter((problem) => !isSigned(problem));
  if (open.length === 0) {
    const files = placeFiles(model, sent.formData, sent.files, today);
    return { answers, asked, unasked, files, signature };
  }
  const detail = open.map(([name, rules]) => `${name}: ${rules.join(', ')}`).join('; ');
  throw new AppError('invalid_request', detail, { fields: Object.fromEntries(open) });
}

/** Who signed, and whether that is a signature under the whole, which answers each question for one that was left blank. */
function signatureOf(model: FormModel, { signature: sent }: Sent, asked: Answers) {
  const beside = readSignature(sent);
  if (beside !== null) return { signature: beside, isOfWhole: true };
  const isQuestion = questionsOf(model).some(({ name }) => name === FREE);
  const free = isQuestion ? null : readFreeSignature(answerTo(FREE, asked));
  const names = [...signatureNames(model), ...(isQuestion ? [FREE] : [])];
  const given = names.map((name) => answerTo(name, asked)).find((answer) => answer !== undefined);
  return { signature: readSignedAnswer(given) ?? free, isOfWhole: free !== null };
}

function signatureNames(model: FormModel): string[] {
  return questionsOf(model).flatMap(({ kind, name }) => (kind === 'signature' ? [name] : []));
}

/** The answer under a name; an object has names of its own that nobody sent. */
function answerTo(name: string, answers: Answers): unknown {
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}

import { AppError } from '../../platform/errors.ts';
import type { Answers, FormModel } from '../model/form-model.ts';
import { isRecord } from '../model/normalise.ts';
import type { Today } from '../model/today.ts';
import { readSignature } from '../submissions/signature.ts';
import { placesAsked } from './steps.ts';
import type { PageWord } from './words/page-words.ts';
import type { Words } from './words/words-of.ts';

const WANTED: Record<string, PageWord> = {
  'signature.confirmed': 'signConfirmWanted',
  'signature.name': 'signNameWanted',
  'signature.image': 'signPictureWanted',
};

/** What a signature still lacks, in the words of the page. */
export function signatureProblems(given: unknown, { say }: Words): string[] {
  try {
    return readSignature(given) === null ? [say('signConfirmWanted')] : [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.keys(error.fields).map((field) => say(WANTED[field] ?? 'signConfirmWanted'));
  }
}

/** The signatures that were given where a page asks for them, by the path of their question. */
export function signedQuestions(model: FormModel, answers: Answers, today: Today): [string, Answers][] {
  const places = model.pages.flatMap((page) => placesAsked(model, page, answers, today));
  return places.flatMap(({ path, kind, answer }): [string, Answers][] =>
    kind === 'signature' && isRecord(answer) ? [[path, answer]] : [],
  );
}

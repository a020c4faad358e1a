import type { FormModel, SentFile } from '../model/form-model.ts';
import type { Today } from '../model/today.ts';
import { checkAnswers } from '../model/validate.ts';
import { addEntry, removeEntry } from './change-entries.ts';
import type { Posted } from './read-posted.ts';
import { signatureProblems, signedQuestions } from './signature-problems.ts';
import type { PageState } from './state.ts';
import { placesAsked, questionsByPath, stepsOf } from './steps.ts';
import type { PageWord } from './words/page-words.ts';
import type { Words } from './words/words-of.ts';

export type Problems = Record<string, string[]>;

/** What is shown after a page was posted: the same step or another, with what is to be said about it. */
export interface Shown {
  kind: 'show';
  state: PageState;
  problems: Problems;
  notes: PageWord[];
}

/** What follows when a page was posted. */
export type Turn = Shown | { kind: 'send' | 'save'; state: PageState };

export interface TurnContext {
  model: FormModel;
  /** Whether the form is signed as a whole. */
  isSigned: boolean;
  files: readonly SentFile[];
  /** What is wrong with files that have just come or are gone, by the path of their question. */
  refused: Problems;
  today: Today;
  words: Words;
}

/** Decides what follows when a page was posted. */
export function takeTurn(context: TurnContext, { state, seen, ask }: Posted): Turn {
  const { model } = context;
  const refused = refusedHere(context, state);
  switch (ask.to) {
    case 'add':
      return show(addEntry(model, state, ask.path), refused);
    case 'remove':
      return show(removeEntry(model, state, ask.path), refused);
    case 'drop':
      return show(withoutFile(state, ask.token), refused);
    case 'save':
      return { kind: 'save', state };
    case 'back':
      return show({ ...state, step: stepBefore(context, state) });
    case 'next':
    case 'submit':
      return goOn(context, state, seen, ask.to === 'submit');
    case 'stay':
      return show(state, refused);
    default:
      return ask satisfies never;
  }
}

/** Shows a step, with what is wrong on it and what there is to say. */
export function show(state: PageState, problems: Problems = {}, ...notes: PageWord[]): Shown {
  return { kind: 'show', state, problems, notes };
}

function goOn(context: TurnContext, state: PageState, seen: ReadonlySet<string>, isLast: boolean): Turn {
  const { model, today } = context;
  const { step, answers } = state;
  const placeOf = placesOf(model);
  const later = stepsOf(model, answers, today).find((place) => place > step);
  const problems = problemsOf(context, state, later === undefined);
  const here = problems.filter(([path]) => path === SIGNATURE || placeOf(path) === step);
  if (hasNewQuestions(context, state, seen)) return show(state, refusedHere(context, state), 'moreQuestions');
  if (here.length > 0) return show(state, Object.fromEntries(here));
  if (later !== undefined) return show({ ...state, step: later });
  if (!isLast) return show(state, {}, 'lastStep');
  if (problems.length === 0) return { kind: 'send', state };
  const places = problems.map(([path]) => placeOf(path)).filter((place) => place !== -1);
  if (places.length === 0) return show({ ...state, step: 0 }, Object.fromEntries(problems));
  const first = Math.min(...places);
  return show({ ...state, step: first }, Object.fromEntries(problems.filter(([path]) => placeOf(path) === first)));
}

/** Tells the place of the page on which a path's question stands; -1 where there is none. */
function placesOf(model: FormModel): (path: string) => number {
  const questionAt = questionsByPath(model);
  return (path) => questionAt(path)?.place ?? -1;
}

/** What is wrong with files on the step that is shown. */
function refusedHere({ model, refused }: TurnContext, { step }: PageState): Problems {
  const placeOf = placesOf(model);
  const here = Object.entries(refused).filter(([path]) => path === SIGNATURE || placeOf(path) === step);
  return Object.fromEntries(here);
}

/** The path by which problems of the form's own signature are named. */
const SIGNATURE = '_signature';

/** All that is wrong so far, by path. */
function problemsOf(context: TurnContext, { answers, signature }: PageState, isLast: boolean): [string, string[]][] {
  const { model, files, refused, today, words, isSigned } = context;
  const found = new Map(Object.entries(checkAnswers(model, answers, files, today, words.sayProblem).problems));
  for (const [path, answer] of signedQuestions(model, answers, today)) {
    const wrong = signatureProblems(answer, words);
    if (wrong.length > 0) found.set(path, wrong);
  }
  for (const [path, wrong] of Object.entries(refused)) found.set(path, wrong);
  if (isSigned && isLast) {
    const wrong = signature === null ? [words.say('signConfirmWanted')] : signatureProblems(signature, words);
    if (wrong.length > 0) found.set(SIGNATURE, [...wrong, ...(refused[SIGNATURE] ?? [])]);
  }
  return [...found];
}

/** Whether the answers of a step ask something on it that nobody has seen or answered. */
function hasNewQuestions({ model, today }: TurnContext, state: PageState, seen: ReadonlySet<string>): boolean {
  return placesAsked(model, model.pages[state.step], state.answers, today).some(
    ({ path, kind, answer }) =>
      kind !== 'calculated' &&
      kind !== 'hidden' &&
      answer === undefined &&
      !seen.has(path) &&
      !Object.hasOwn(state.files, path),
  );
}

function stepBefore({ model, today }: TurnContext, { step, answers }: PageState): number {
  return stepsOf(model, answers, today).findLast((place) => place < step) ?? step;
}

/** The state without a file that was taken back. */
export function withoutFile(state: PageState, token: string): PageState {
  const files = Object.entries(state.files).map(([path, tokens]) => {
    return [path, tokens.filter((each) => each !== token)] as const;
  });
  return { ...state, files: Object.fromEntries(files.filter(([, tokens]) => tokens.length > 0)) };
}

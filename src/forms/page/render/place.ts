import type { Sheet } from '../../model/check/sheet.ts';
import type { Question, RepeatingGroup } from '../../model/form-model.ts';
import type { Say } from '../../model/phrases.ts';
import { type AnswerPath, plainPath } from '../field-name.ts';
import type { PageView, ShownFile } from '../view.ts';
import type { PageWord } from '../words/page-words.ts';
import { type Words, wordsOf } from '../words/words-of.ts';
import { Filling, isRequired } from './filling.ts';

/** What is known of a page while it is drawn. */
export class Drawing {
  readonly view: PageView;
  readonly words: Words;
  readonly say: Say<PageWord>;
  readonly filling: Filling;
  /** The paths of the questions that are shown as asked. */
  readonly seen: string[] = [];
  /** By the path of each question that is asked: its first control, to which a problem leads, and its label. */
  readonly controls = new Map<string, { id: string; label: string }>();
  #count = 0;

  constructor(view: PageView) {
    this.view = view;
    this.words = wordsOf(view.language);
    this.say = this.words.say;
    this.filling = new Filling(view.model, view.answers, view.today);
  }

  /** The next number of a question. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/** A question where it stands on the page, with all that is shown of it. */
export interface Place<Q extends Question | RepeatingGroup = Question> {
  drawing: Drawing;
  question: Q;
  n: number;
  path: AnswerPath;
  /** The answer as it was typed. */
  answer: unknown;
  isAsked: boolean;
  isRequired: boolean;
  problems: readonly string[];
  files: readonly ShownFile[];
  /** What is worked out of other answers. */
  calculated: unknown;
}

/** Where a question stands within the form or within one entry of a group. */
export interface Around {
  path: AnswerPath;
  sheet: Sheet;
  answers: Readonly<Record<string, unknown>>;
  isAsked(question: Question | RepeatingGroup): boolean;
}

/** Gives a question its number and its place. */
export function placeOf<Q extends Question | RepeatingGroup>(drawing: Drawing, around: Around, question: Q): Place<Q> {
  const path = [...around.path, question.name];
  const plain = plainPath(path);
  const isAsked = around.isAsked(question);
  const n = drawing.next();
  if (isAsked) {
    drawing.seen.push(plain);
    drawing.controls.set(plain, { id: controlId(n), label: question.label });
  }
  return {
    drawing,
    question,
    n,
    path,
    answer: ownValue(around.answers, question.name),
    isAsked,
    isRequired: isRequired(around.sheet, question),
    problems: ownValue(drawing.view.problems, plain) ?? [],
    files: ownValue(drawing.view.files, plain) ?? [],
    calculated: around.sheet.filled.get(question.name)?.answer,
  };
}

/** The id of a question's control, or of one of several. */
export function controlId(n: number, part?: number | string): string {
  return part === undefined || part === 0 ? `control-${n}` : `control-${n}-${part}`;
}

function ownValue<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

import type { FormModel } from '../model/form-model.ts';
import { type Controls, readAnswers, readSigned } from './posted-answers.ts';
import { readTravelledAnswers, readTravelledFiles, readTravelledTexts } from './read-travelled.ts';
import type { PageState } from './state.ts';
import type { ShownSignature } from './view.ts';

/** What the visitor asked for with a button. */
export type Ask =
  | { to: 'next' | 'back' | 'submit' | 'save' | 'stay' }
  | { to: 'add' | 'remove'; path: string }
  | { to: 'drop'; token: string };

/** What a page was posted with. */
export interface Posted {
  state: PageState;
  /** The paths of the questions that stood on the page as asked. */
  seen: ReadonlySet<string>;
  ask: Ask;
}

const LONGEST_LANGUAGE = 35;

/** Reads what a page was posted with. Whatever cannot be read is as good as not sent; what is too much is refused. */
export function readPosted(model: FormModel, controls: Controls): Posted {
  const step = Math.min(readWhole(one(controls, '_step')), Math.max(0, model.pages.length - 1));
  const seen = new Set(readTravelledTexts(one(controls, '_seen')));
  const before = readTravelledAnswers(model, one(controls, '_answers'));
  const page = model.pages[step];
  return {
    state: {
      version: readWhole(one(controls, '_version')),
      language: one(controls, '_language').slice(0, LONGEST_LANGUAGE),
      step,
      answers: page === undefined ? before : readAnswers(page, controls, before, seen),
      files: readTravelledFiles(one(controls, '_files')),
      signature: readFormSignature(controls),
    },
    seen,
    ask: readAsk(controls),
  };
}

/** The last value of a control; empty where it was not sent. */
export function one(controls: Controls, name: string): string {
  const value = Object.hasOwn(controls, name) ? controls[name] : undefined;
  return (typeof value === 'string' ? value : value?.at(-1)) ?? '';
}

function readAsk(controls: Controls): Ask {
  const [add, remove, drop] = ['_add', '_remove', '_drop'].map((name) => one(controls, name));
  if (add !== undefined && add !== '') return { to: 'add', path: add };
  if (remove !== undefined && remove !== '') return { to: 'remove', path: remove };
  if (drop !== undefined && drop !== '') return { to: 'drop', token: drop };
  const go = one(controls, '_go');
  return { to: go === 'next' || go === 'back' || go === 'submit' || go === 'save' ? go : 'stay' };
}

/** The signature below a form as it stands so far. */
export function readFormSignature(controls: Controls): ShownSignature | null {
  const named = ['name', 'method', 'confirmed', 'image'].map((part) => [part, one(controls, `_signature.${part}`)]);
  const { name, method, confirmed, image } = readSigned(Object.fromEntries(named)) ?? {};
  if (method === undefined) return null;
  return {
    method: method as ShownSignature['method'],
    name: name as string,
    confirmed: confirmed === true,
    image: (image as string | undefined) ?? null,
  };
}

function readWhole(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

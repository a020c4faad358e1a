import type { Answers } from '../model/form-model.ts';
import type { ShownSignature } from './view.ts';

/** What a visitor has done with a form so far: it travels in the page itself, and lies in a draft. */
export interface PageState {
  version: number;
  language: string;
  /** The page that is shown, by its place among all pages of the form, asked or not. */
  step: number;
  answers: Answers;
  /** The tokens of files that have come, by the path of their question. */
  files: Record<string, string[]>;
  signature: ShownSignature | null;
}

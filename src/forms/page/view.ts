import type { Answers, FormModel, Item, Page } from '../model/form-model.ts';
import type { Today } from '../model/today.ts';

/** A file that came ahead of the submission, as the page names it. */
export interface ShownFile {
  token: string;
  name: string;
  size: number;
}

/** A signature as it was given on the page so far. */
export interface ShownSignature {
  method: 'typed' | 'drawn' | 'uploaded';
  name: string;
  confirmed: boolean;
  /** A drawn one, as a data URL of a PNG. */
  image: string | null;
}

/** All that one step of a form shows. Nothing else goes into the HTML. */
export interface PageView {
  formId: string;
  /** Where it is sent to: the address that the visitor came by. */
  action: string;
  title: string;
  description: string | null;
  version: number;
  /** In the language of the page. */
  model: FormModel;
  /** What the customer wrote for the looks of it, not yet made safe. */
  layout: { html: string | null; css: string | null };
  /** What is signed beside the questions for a signature; null where the form is not signed as a whole. */
  signing: { label: string; given: ShownSignature | null } | null;
  language: string;
  languages: readonly string[];
  /** Which of the pages that are asked, from 0. */
  step: number;
  steps: number;
  /** Everything answered so far, as it was typed. */
  answers: Answers;
  isAsked(item: Item | Page): boolean;
  problems: Readonly<Record<string, string[]>>;
  /** What is said above the questions, such as that more of them have come up. */
  notes: readonly string[];
  /** The files that have come, by the path of their question. */
  files: Readonly<Record<string, ShownFile[]>>;
  /** Hidden controls that travel with the page. */
  controls: Readonly<Record<string, string>>;
  /** Whether there is a button to go on later on another device. */
  resumable: boolean;
  proofOfWork: boolean;
  /** The age recipients to which the browser encrypts; none where the server may read the answers. */
  sealedTo: readonly string[];
  today: Today;
}

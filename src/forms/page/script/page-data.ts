import type { FormModel } from '../../model/form-model.ts';
import { type Phrase, type Say, voiceOf } from '../../model/phrases.ts';
import { PROBLEMS, type ProblemKey } from '../../model/problems.ts';
import type { Today } from '../../model/today.ts';
import type { SealWord } from './seal-words.ts';
import type { sendFile } from './upload/send-file.ts';
import { SCRIPT_WORDS, type ScriptWord } from './words.ts';

/** What the server says to the script, under #carepost-data. */
export interface PageData {
  formId: string;
  version: number;
  model: FormModel;
  language: string;
  problems: Record<ProblemKey, Phrase>;
  words: Partial<Record<ScriptWord, Phrase>>;
  today: Today;
  uploadUrl: string;
  proofUrl: string | null;
  sealedTo: string[];
  /** What is said where a form is encrypted here; empty where none is. */
  sealWords: Partial<Record<SealWord, string>>;
}

/** Waits for something, for the sake of a button. It never throws, and says whether the form may go. */
export type Wait = (go: string) => Promise<boolean>;

/** Sends the form in another way than browsers do: what leads on to the next page, or null where it is not gone. */
export type SendInstead = (go: string) => Promise<(() => void) | null>;

/** The form in the page, and all that its parts share. */
export interface FormPage {
  form: HTMLFormElement;
  data: PageData;
  say: Say<ScriptWord>;
  sayProblem: Say<ProblemKey>;
  /** What must be over before the form is sent with a button. */
  waits: Set<Wait>;
  /** What is done right before the form is sent. */
  farewells: Set<() => void>;
  /** What a file goes through before it is sent. */
  wrapSending: (send: typeof sendFile) => typeof sendFile;
  sendInstead: SendInstead | null;
}

/** Finds the form and its data; null on pages that have none. */
export function readFormPage(page: Document): FormPage | null {
  const form = page.getElementById('carepost-form');
  const text = page.getElementById('carepost-data')?.textContent;
  if (!(form instanceof HTMLFormElement) || !text) return null;
  const data = JSON.parse(text) as PageData;
  return {
    form,
    data,
    say: voiceOf<ScriptWord>(data.language, { ...SCRIPT_WORDS, ...data.words }),
    sayProblem: voiceOf<ProblemKey>(data.language, { ...PROBLEMS, ...data.problems }),
    waits: new Set(),
    farewells: new Set(),
    wrapSending: (send) => send,
    sendInstead: null,
  };
}

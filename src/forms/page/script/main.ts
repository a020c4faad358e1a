import { autosave } from './autosave.ts';
import { beginAnewOnceSent } from './begin-anew.ts';
import { tellSize, tellStep, tellSubmitted } from './embedding.ts';
import { runLiveLogic } from './live-logic.ts';
import { makeUpForAge } from './older-browsers.ts';
import { tickOwnWords } from './own-words.ts';
import { type FormPage, readFormPage } from './page-data.ts';
import { checkStep } from './problems/check-step.ts';
import { prepareProof } from './proof.ts';
import { forgetAnswersOf } from './saved-answers.ts';
import { sealInstead } from './seal.ts';
import { guardSending } from './sending.ts';
import { helpSigning } from './signature/sign.ts';
import { takeFiles } from './upload/take-files.ts';

const PARTS = [
  sealInstead,
  showHelp,
  tickOwnWords,
  runLiveLogic,
  helpSigning,
  takeFiles,
  prepareProof,
  guard,
  autosave,
  beginAnewOnceSent,
  tellStep,
];

/** Shows what only works with script. */
function showHelp({ form }: FormPage): void {
  for (const element of form.querySelectorAll<HTMLElement>('[data-script]')) element.hidden = false;
}

function guard(page: FormPage): void {
  guardSending(page, (go) => (go !== 'next' && go !== 'submit') || (attempt(() => checkStep(page)) ?? true));
}

/** On the pages that say that a form has arrived: `data-sent` has its id. */
function noticeSent(): void {
  const sent = document.querySelector<HTMLElement>('[data-sent]')?.dataset['sent'];
  if (sent === undefined) return;
  forgetAnswersOf(sent);
  tellSubmitted(sent);
}

/** A part that fails leaves the form as it is without script, which can be sent all the same. */
function attempt<T>(part: () => T): T | null {
  try {
    return part();
  } catch {
    return null;
  }
}

attempt(makeUpForAge);
const page = attempt(() => readFormPage(document));
if (page !== null) for (const part of PARTS) attempt(() => part(page));
attempt(noticeSent);
attempt(tellSize);

import type { FormModel } from '../model/form-model.ts';
import { answerPath } from './field-name.ts';
import type { Controls } from './posted-answers.ts';
import { type Ask, one, type Posted, readPosted } from './read-posted.ts';
import type { PageState } from './state.ts';
import { show, type Turn } from './turn.ts';

/**
 * What the page of a form was posted with whose answers only the customer can read. Answers that came readable are
 * forgotten here: nothing after this keeps them or shows them again. What a link or an address has filled in travels
 * with the page that asks for a password.
 */
export function readSealedPost(model: FormModel, controls: Controls): Posted {
  const posted = readPosted(model, controls);
  const answers = one(controls, 'password') === '' ? {} : posted.state.answers;
  return { ...posted, state: { ...posted.state, step: 0, answers, signature: null } };
}

/** Whether a page was sent as a browser without script does: with answers that can be read, or with none. */
export function isReadable(controls: Controls): boolean {
  if (one(controls, '_sealed') === '') return true;
  return Object.keys(controls).some((name) => answerPath(name) !== null || /^_(?:answers|signature\.)/.test(name));
}

/** What follows: there is one step, and all that is done on it is done in the browser. No file may have got lost. */
export function sealedTurn(state: PageState, ask: Ask, found: number): Turn {
  const again = { ...state, files: {} };
  if (ask.to !== 'submit') return show(again);
  const isComplete = found === new Set(Object.values(state.files).flat()).size;
  return isComplete ? { kind: 'send', state } : show(again, {}, 'fileGone');
}

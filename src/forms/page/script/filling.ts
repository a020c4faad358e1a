import { hiddenControl } from './elements.ts';
import type { FormPage } from './page-data.ts';
import { type HandOver, handOver, type SavedAnswers, savedAnswersOf, takeHandedOver } from './saved-answers.ts';

/** One filling of a form: all its steps, and all that the history of the window has of them. */
interface Filling {
  kept: SavedAnswers;
  /** How the page came about: anew, as the answer to a step, in another language, or by a reload or the history. */
  opened: 'anew' | 'sent' | 'translated' | 'again';
  /** Lets the next page belong to the same filling. */
  handOver(to: Omit<HandOver, 'filling'>): void;
}

/**
 * Finds out which filling a page belongs to. That lies in its entry of the history, which the same address has not when it
 * is opened for somebody else: what one person typed is never shown to the next.
 */
export function fillingOf({ form, data }: FormPage): Filling {
  const { formId, version } = data;
  const once = hiddenControl(form, '_once').value;
  const known = fillingInHistory();
  const left = known === null ? takeHandedOver(formId) : null;
  const isSent = left?.once === once;
  const isTranslated = left?.address === location.href;
  const id = known ?? (left !== null && (isSent || isTranslated) ? left.filling : once);
  history.replaceState({ carepostFilling: id }, '');
  return {
    kept: savedAnswersOf(formId, version, id),
    opened: known !== null ? 'again' : isSent ? 'sent' : isTranslated ? 'translated' : 'anew',
    handOver: (to) => handOver(formId, { filling: id, ...to }),
  };
}

function fillingInHistory(): string | null {
  const state = history.state as { carepostFilling?: unknown } | null;
  return typeof state?.carepostFilling === 'string' ? state.carepostFilling : null;
}

/** Where the form is opened anew, with what the address filled in. */
export function addressAgain({ action }: HTMLFormElement): string {
  const { pathname } = new URL(action);
  return location.pathname === pathname ? pathname + location.search : pathname;
}

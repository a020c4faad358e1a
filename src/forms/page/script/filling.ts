import { hiddenControl } from './elements.ts';
import type { FormPage, PageData } from './page-data.ts';
import {
  canKeep,
  type HandOver,
  handOver,
  type SavedAnswers,
  savedAnswersOf,
  takeHandedOver,
} from './saved-answers.ts';

/** One filling of a form: all its steps, and all that the history of the window has of them. */
interface Filling {
  kept: SavedAnswers;
  /**
   * How the page came about: anew, as the answer to a step, in another language, by a reload or the history, or drawn once
   * more with what was kept.
   */
  opened: 'anew' | 'sent' | 'translated' | 'again' | 'redrawn';
  /** Where a page stood that was drawn once more. */
  address: string | null;
  /** Lets the next page belong to the same filling, and says whether it will. */
  handOver(to: Omit<HandOver, 'filling'>): boolean;
}

const fillings = new WeakMap<FormPage, Filling>();

/** The filling that a page belongs to. */
export function fillingOf(page: FormPage): Filling {
  const filling = fillings.get(page) ?? findFilling(page);
  fillings.set(page, filling);
  return filling;
}

/**
 * Finds out which filling a page belongs to. That lies in its entry of the history, which the same address has not when it
 * is opened for somebody else: what one person typed is never shown to the next. A page that comes in the place of another
 * may have the entry of that one, so that what was handed over counts first. All its pages are sent under one name, so that
 * a filling which was taken, and whose reply was lost, is not taken again.
 */
function findFilling({ form, data }: FormPage): Filling {
  const { formId, version } = data;
  const once = hiddenControl(form, '_once');
  const left = takeHandedOver(formId);
  const [opened, id] = howOpened(left, goingOn(fillingInHistory(), data), once.value);
  // A page that is noted in the history is opened by its address when somebody comes back to it. Where nothing is kept, that
  // would be an empty form: then the browser sends again what the page answered.
  if (canKeep(formId)) history.replaceState({ ...history.state, carepostFilling: id }, '');
  once.value = id;
  return {
    kept: savedAnswersOf(formId, version, id),
    opened,
    address: left?.redrawnAt ?? null,
    handOver: (to) => handOver(formId, { filling: id, ...to }),
  };
}

function howOpened(left: HandOver | null, known: string | null, once: string): [Filling['opened'], string] {
  if (left?.once === once) return [left.redrawnAt === undefined ? 'sent' : 'redrawn', left.filling];
  if (known !== null) return ['again', known];
  return left?.address === location.href ? ['translated', left.filling] : ['anew', once];
}

/** Only a filling of which something is kept goes on: any other was sent or cleared, and the next begins. */
function goingOn(known: string | null, { formId, version }: PageData): string | null {
  return known === null || savedAnswersOf(formId, version, known).read() === null ? null : known;
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

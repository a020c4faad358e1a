import type { Answers } from '../../model/form-model.ts';
import type { KeptFiles } from './verdict.ts';

/** What a window remembers of a form: the controls of each step as they were typed, and the answers of all steps. */
export interface Saved {
  steps: Record<string, [string, string][]>;
  answers: Answers;
  /** The tokens of files that have come, and a word for each that had not. */
  files: KeptFiles;
}

/** Where the answers of one form lie until the window is closed or they have been sent. */
export interface SavedAnswers {
  /** Null where nothing is kept. */
  read(): Saved | null;
  write(saved: Saved): void;
  forget(): void;
  /** Whether nothing is kept, where something could be. */
  isForgotten(): boolean;
}

const MARK = 'carepost-answers:';

/** What a page leaves for the next one, which belongs to the same filling where it has this name or this address. */
export interface HandOver {
  filling: string;
  once?: string;
  address?: string;
  /** Where a page stood that is drawn once more. */
  redrawnAt?: string;
}

/** Leaves word for the next page of a form, and says whether it could. */
export function handOver(formId: string, left: HandOver): boolean {
  return attempt(() => sessionStorage.setItem(handedOver(formId), JSON.stringify(left))) !== null;
}

/** What the page before has left, which is told once. */
export function takeHandedOver(formId: string): HandOver | null {
  return attempt(() => {
    const left = JSON.parse(sessionStorage.getItem(handedOver(formId)) ?? 'null') as HandOver | null;
    sessionStorage.removeItem(handedOver(formId));
    return left;
  });
}

/** Whether the browser lets anything be kept. */
export function canKeep(formId: string): boolean {
  const key = `${MARK}${formId}:try`;
  const isKept = attempt(() => {
    sessionStorage.setItem(key, '1');
    sessionStorage.removeItem(key);
    return true;
  });
  return isKept ?? false;
}

function handedOver(formId: string): string {
  return `${MARK}${formId}:handed-over`;
}

/** Keeps answers in the window alone: they are gone with it. Where the browser forbids it, nothing is kept. */
export function savedAnswersOf(formId: string, version: number, filling: string): SavedAnswers {
  const key = `${MARK}${formId}:${version}:${filling}`;
  return {
    read: () => attempt(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') as Saved | null),
    write: (saved) => void attempt(() => sessionStorage.setItem(key, JSON.stringify(saved))),
    forget: () => void attempt(() => sessionStorage.removeItem(key)),
    isForgotten: () => attempt(() => sessionStorage.getItem(key) === null) ?? false,
  };
}

/** Forgets the answers of a form in all its versions, as they have been sent. */
export function forgetAnswersOf(formId: string): void {
  attempt(() => {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(`${MARK}${formId}:`));
    for (const key of keys) sessionStorage.removeItem(key);
  });
}

function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

import { type Draft, isSame } from './draft.ts';
import type { Step } from './step.ts';
import { findStanding, insertStep, type Place } from './tree.ts';

/** A draft with what it was before, what was taken back, and what is saved. */
export interface History {
  past: readonly Draft[];
  now: Draft;
  future: readonly Draft[];
  saved: Draft;
  /** When what is saved was changed last. */
  updatedAt: string;
  /** What the latest change was to, so that typing on is one change. */
  touched: string | null;
}

export type Change =
  | { do: 'change'; draft: Draft; touched?: string }
  | { do: 'undo' }
  | { do: 'redo' }
  /** Puts back a step that was removed, whatever was changed since. */
  | { do: 'restore'; step: Step; place: Place }
  /** The server has it by now, or has something else; what was changed since this was sent stays as it is. */
  | { do: 'saved'; draft: Draft; updatedAt: string; sent?: Draft };

const MOST = 100;

/** A history that begins with what is saved. */
export function beginHistory(saved: Draft, updatedAt: string): History {
  return { past: [], now: saved, future: [], saved, updatedAt, touched: null };
}

/** The history after a change. */
export function changeHistory(history: History, change: Change): History {
  const { past, now, future } = history;
  switch (change.do) {
    case 'change': {
      if (isSame(change.draft, now)) return history;
      const touched = change.touched ?? null;
      const goesOn = touched !== null && touched === history.touched;
      return { ...history, past: goesOn ? past : [...past.slice(-MOST), now], now: change.draft, future: [], touched };
    }
    case 'undo': {
      const before = past.at(-1);
      if (before === undefined) return history;
      return { ...history, past: past.slice(0, -1), now: before, future: [now, ...future], touched: null };
    }
    case 'redo': {
      const [next, ...later] = future;
      if (next === undefined) return history;
      return { ...history, past: [...past, now], now: next, future: later, touched: null };
    }
    case 'restore': {
      if (findStanding(now.steps, change.step.id) !== undefined) return history;
      const steps = insertStep(now.steps, change.place, change.step);
      return changeHistory(history, { do: 'change', draft: { ...now, steps } });
    }
    case 'saved':
      break;
  }
  const isSince = change.sent !== undefined && !isSame(now, change.sent);
  const { draft: saved, updatedAt } = change;
  return { ...history, now: isSince ? now : saved, saved, updatedAt, touched: null };
}

/** Whether there is something that the server does not have. */
export function isDirty({ now, saved }: History): boolean {
  return !isSame(now, saved);
}

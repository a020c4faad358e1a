import { useCallback, useMemo, useReducer } from 'react';
import type { Draft } from './draft/draft.ts';
import { changeEach } from './draft/tree.ts';

/** A draft and what is looked at in it. */
export interface Moment {
  draft: Draft;
  selected: string | null;
}

interface History {
  past: readonly Moment[];
  now: Moment;
  future: readonly Moment[];
  /** Steps of the same kind in a row, such as typing into one field, are taken back together. */
  merge: string | null;
}

type Step =
  | { kind: 'change'; make(now: Moment): Moment | null; merge: string | null }
  | { kind: 'select'; selected: string | null }
  | { kind: 'undo' | 'redo' | 'settle' }
  | { kind: 'open'; draft: Draft };

const MOST_STEPS = 200;

/** What the builder can do with time. */
export interface Timeline extends Moment {
  change(make: (now: Moment) => Moment | null, merge?: string): void;
  select(selected: string | null): void;
  undo(): void;
  redo(): void;
  /** Goes on with another draft, from which nothing leads back. */
  open(draft: Draft): void;
  /** Everything is stored now, so that people may answer it: names no longer follow labels. */
  settle(): void;
  canUndo: boolean;
  canRedo: boolean;
}

/** Keeps a draft with all of its earlier states. */
export function useTimeline(first: Draft): Timeline {
  const [history, step] = useReducer(follow, first, begin);
  const { past, now, future } = history;
  const change = useCallback<Timeline['change']>(
    (make, merge) => step({ kind: 'change', make, merge: merge ?? null }),
    [],
  );
  const select = useCallback((selected: string | null) => step({ kind: 'select', selected }), []);
  const undo = useCallback(() => step({ kind: 'undo' }), []);
  const redo = useCallback(() => step({ kind: 'redo' }), []);
  const settle = useCallback(() => step({ kind: 'settle' }), []);
  const open = useCallback((draft: Draft) => step({ kind: 'open', draft }), []);
  return useMemo(
    () => ({ ...now, change, select, undo, redo, open, settle, canUndo: past.length > 0, canRedo: future.length > 0 }),
    [now, past, future, change, select, undo, redo, open, settle],
  );
}

function begin(draft: Draft): History {
  return { past: [], now: { draft, selected: null }, future: [], merge: null };
}

function follow(history: History, step: Step): History {
  const { past, now, future } = history;
  if (step.kind === 'open') return begin(step.draft);
  if (step.kind === 'settle') {
    return { ...history, past: past.map(settled), now: settled(now), future: future.map(settled), merge: null };
  }
  if (step.kind === 'select') return { ...history, now: { ...now, selected: step.selected }, merge: null };
  if (step.kind === 'change') {
    const next = step.make(now);
    if (next === null || next.draft === now.draft) return history;
    const isMore = step.merge !== null && step.merge === history.merge;
    return { past: isMore ? past : [...past.slice(-MOST_STEPS), now], now: next, future: [], merge: step.merge };
  }
  const [from, to] = step.kind === 'undo' ? [past, future] : [future, past];
  const next = step.kind === 'undo' ? from.at(-1) : from[0];
  if (next === undefined) return history;
  return step.kind === 'undo'
    ? { past: past.slice(0, -1), now: next, future: [now, ...to], merge: null }
    : { past: [...past, now], now: next, future: future.slice(1), merge: null };
}

function settled({ draft, selected }: Moment): Moment {
  return { draft: changeEach(draft, ({ fresh: _fresh, ...element }) => element), selected };
}

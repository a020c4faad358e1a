import { useCallback, useState } from 'react';

interface Kept<Value> {
  past: readonly Value[];
  present: Value;
  future: readonly Value[];
  /** What was changed last, and when: going on with it is no step of its own. */
  topic: string | null;
  at: number;
}

/** A value with what it was before. */
export interface History<Value> {
  value: Value;
  /** Changes on one topic that follow each other closely are taken back together. */
  change(change: (before: Value) => Value, topic?: string): void;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
}

const TOGETHER_MS = 1_500;
const MOST_STEPS = 200;

/** Keeps a value and every step that led to it. */
export function useHistory<Value>(first: Value): History<Value> {
  const [kept, setKept] = useState<Kept<Value>>({ past: [], present: first, future: [], topic: null, at: 0 });
  const change = useCallback((step: (before: Value) => Value, topic: string | null = null) => {
    const now = Date.now();
    setKept(({ past, present, topic: last, at }) => {
      const goesOn = topic !== null && topic === last && now - at < TOGETHER_MS;
      return {
        past: goesOn ? past : [...past, present].slice(-MOST_STEPS),
        present: step(present),
        future: [],
        topic,
        at: now,
      };
    });
  }, []);
  const undo = useCallback(() => {
    setKept((now) => {
      const before = now.past.at(-1);
      if (before === undefined) return now;
      return { past: now.past.slice(0, -1), present: before, future: [now.present, ...now.future], topic: null, at: 0 };
    });
  }, []);
  const redo = useCallback(() => {
    setKept((now) => {
      const [next, ...future] = now.future;
      if (next === undefined) return now;
      return { past: [...now.past, now.present], present: next, future, topic: null, at: 0 };
    });
  }, []);
  return {
    value: kept.present,
    change,
    undo,
    redo,
    canUndo: kept.past.length > 0,
    canRedo: kept.future.length > 0,
  };
}

import { useState } from 'react';
import { useLeaveQuestion } from '../../ui/use-leave-question.ts';
import type { Filters } from './rule.ts';
import { type Draft, useDraft, type Written, writtenOf } from './use-draft.ts';

/** What has been written of a segment. */
export interface WrittenSegment extends Written {
  name: string;
}

/** What is sent of a segment. */
export type SegmentWish = { name: string } & ({ filters: Filters } | { rule: string });

/** A segment while it is written. */
export interface Writing {
  name: string;
  rule: Draft;
  isDirty: boolean;
  written: WrittenSegment;
  /** What is to be saved; null while the rule is not whole. */
  wish: SegmentWish | null;
  rename(name: string): void;
  /** Goes on with something else. */
  open(written: WrittenSegment): void;
  /** What is written now is saved. */
  settle(): void;
}

/** A segment that is written beginning with something; that was changed already where it was kept. */
export function useWriting(begun: WrittenSegment, wasKept: boolean): Writing {
  const [name, setName] = useState(begun.name);
  const [isDirty, setDirty] = useState(wasKept);
  const rule = useDraft(begun, () => setDirty(true));
  useLeaveQuestion(isDirty);
  const { mode, group, text } = rule;
  return {
    name,
    rule,
    isDirty,
    written: { name, mode, group, text },
    wish: rule.wish && { name, ...rule.wish },
    rename(next) {
      setName(next);
      setDirty(true);
    },
    open(next) {
      setName(next.name);
      rule.open(next);
      setDirty(true);
    },
    settle: () => setDirty(false),
  };
}

/** What is stored of a segment, as it is written. */
export function segmentAsWritten(name: string, filters: Filters | null): WrittenSegment {
  return { name, ...writtenOf(filters) };
}

import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldProblem } from '../../api/field-problem.ts';
import { type Filters, filtersOf, type Group, groupOf, isComplete, newGroup } from './rule.ts';
import { type LiveCount, useLiveCount } from './use-live-count.ts';

/** A rule while it is being written, in both of its forms. */
export interface Draft {
  mode: 'rules' | 'text';
  /** Whether the other form is being made from the one. */
  isTurning: boolean;
  group: Group;
  text: string;
  /** What is wrong with the text, where it stands in it. */
  textProblem: string | undefined;
  /** What is to be saved; null while the rule is not whole. */
  wish: { filters: Filters } | { rule: string } | null;
  /** Whether the rule is whole but more than the product keeps. */
  isTooMuch: boolean;
  counting: LiveCount;
  changeMode(mode: Draft['mode']): void;
  changeGroup(group: Group): void;
  changeText(text: string): void;
  /** Goes on with something else. */
  open(written: Written): void;
}

/** What of a rule has been written. */
export type Written = Pick<Draft, 'mode' | 'group' | 'text'>;

/** The filters of a segment, or an empty condition, as they are written. */
export function writtenOf(filters: Filters | null): Written {
  return { mode: 'rules', group: filters === null ? newGroup('all') : groupOf(filters), text: '' };
}

/** A rule that begins with what was written before. `onChange` is told when somebody changes it. */
export function useDraft(begun: Written, onChange: () => void = () => undefined): Draft {
  const [mode, setMode] = useState(begun.mode);
  const [group, setGroup] = useState(begun.group);
  const [text, setText] = useState(begun.text);
  const [isTurning, setTurning] = useState(false);
  const isWhole = !isTurning && (mode === 'text' ? text.trim() !== '' : isComplete(group));
  const expanded = mode === 'rules' && isWhole ? filtersOf(group) : null;
  const wish = mode === 'text' ? (isWhole ? { rule: text } : null) : expanded && { filters: expanded };
  const counting = useLiveCount(wish);
  // What the server makes of the one form is where the other begins; what it refuses stays as it is, to be mended.
  const turn = async (next: Draft['mode']) => {
    setMode(next);
    if (wish === null) return;
    setTurning(true);
    const known = await call('countDynamicList', { body: wish }).catch(() => null);
    if (known === null) setMode(mode);
    else if (next === 'text') setText(known.data.rule);
    else setGroup(groupOf(known.data.filters));
    setTurning(false);
  };
  return {
    mode,
    isTurning,
    group,
    text,
    textProblem: mode === 'text' && isWhole ? fieldProblem(counting.error, 'rule', 'filters') : undefined,
    wish,
    isTooMuch: mode === 'rules' && isWhole && expanded === null,
    counting,
    changeMode: (next) => void turn(next),
    changeGroup(next) {
      setGroup(next);
      onChange();
    },
    changeText(next) {
      setText(next);
      onChange();
    },
    open(next) {
      setMode(next.mode);
      setGroup(next.group);
      setText(next.text);
    },
  };
}

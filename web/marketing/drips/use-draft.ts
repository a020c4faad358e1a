import { useEffect, useMemo, useReducer, useState } from 'react';
import { problemOf } from '../../api/problem.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { useMay } from '../../session/session.ts';
import { tell } from '../../ui/toast.tsx';
import { words as kinds } from '../../words/drips/steps.ts';
import { words } from '../../words/drips.ts';
import type { Editing, Selected } from './editing.ts';
import { type Draft, type Drip, draftOf } from './model/draft.ts';
import { beginHistory, changeHistory, type History, isDirty as isHistoryDirty } from './model/history.ts';
import { type Names, stepInWords } from './model/in-words.ts';
import { placeProblem, problemsOf } from './model/problems.ts';
import { blankStep, type Step, type StepKind } from './model/step.ts';
import { findStanding, freeId, insertStep, type Place, removeStep } from './model/tree.ts';
import { useNameable } from './names.ts';

/** A drip with everything that the editor knows of it and does to it. */
export function useDraft(drip: Drip): Editing {
  const desk = `drip ${drip.id}`;
  const kept = useKeptDraft(desk) as History | undefined;
  const [history, dispatch] = useReducer(
    changeHistory,
    drip,
    (first) => kept ?? beginHistory(draftOf(first), first.attributes.updated_at),
  );
  const [theirs, setTheirs] = useState<Drip | null>(null);
  const [selected, setSelected] = useState<Selected>(null);
  const [refusal, setRefusal] = useState<[string, string] | null>(null);
  const { names: named, ...nameable } = useNameable();
  const draft = history.now;
  const names: Names = { ...named, step: (id) => stepNameIn(draft.steps, id, names) };
  const isDirty = isHistoryDirty(history);
  useKeeping(desk, isDirty ? history : null);
  const isEditor = useMay('editor');

  // Who looks at it without having changed anything sees what others save.
  const version = `${drip.attributes.version}/${drip.attributes.updated_at}`;
  useEffect(() => {
    if (!isDirty) dispatch(savedAs(drip));
  }, [version]);

  const problems = useMemo(
    () => new Map([...(refusal === null ? [] : [refusal]), ...problemsOf(draft)]),
    [draft, refusal],
  );
  const change = (next: Draft, touched?: string) => {
    setRefusal(null);
    dispatch({ do: 'change', draft: next, ...(touched === undefined ? {} : { touched }) });
  };
  return {
    drip,
    draft,
    history,
    isDirty,
    mayChange: isEditor && drip.attributes.state !== 'completed',
    isFrozen: drip.attributes.state !== 'draft',
    nameable,
    names,
    problems,
    selected,
    select: setSelected,
    change,
    undo: () => dispatch({ do: 'undo' }),
    redo: () => dispatch({ do: 'redo' }),
    add(kind: StepKind, place: Place) {
      const id = freeId(draft.steps, kind);
      change({ ...draft, steps: insertStep(draft.steps, place, blankStep(kind, id)) });
      setSelected(id);
    },
    remove(id: string) {
      const found = findStanding(draft.steps, id);
      if (found === undefined) return;
      change({ ...draft, steps: removeStep(draft.steps, id) });
      setSelected(null);
      tell(words.removed(kinds.kinds[found.step.type]), () =>
        dispatch({ do: 'restore', step: found.step, place: found.place }),
      );
    },
    takeOver(next: Drip, sent?: Draft) {
      setRefusal(null);
      dispatch({ ...savedAs(next), ...(sent === undefined ? {} : { sent }) });
    },
    theirs,
    setTheirs,
    takeTheirs(next: Drip) {
      change(draftOf(next));
      dispatch(savedAs(next));
      setTheirs(null);
    },
    keepMine(next: Drip) {
      // As if what stands now had been sent from here before: what is written since stays.
      dispatch({ ...savedAs(next), sent: history.saved });
      setTheirs(null);
    },
    showRefusal(error: unknown) {
      const placed = placeProblem(problemOf(error), draft.steps);
      setRefusal(placed);
      if (placed !== null) setSelected(placed[0]);
      return placed !== null;
    },
    forgetRefusal: () => setRefusal(null),
  };
}

function savedAs(drip: Drip) {
  return { do: 'saved', draft: draftOf(drip), updatedAt: drip.attributes.updated_at } as const;
}

/** A step in a line; what only leads elsewhere has none. */
function stepNameIn(steps: readonly Step[], id: string, names: Names): string | null {
  const step = findStanding(steps, id)?.step;
  if (step === undefined || step.type === 'goto') return null;
  return `${kinds.kinds[step.type]}: ${stepInWords(step, names)}`;
}

import { createContext, use } from 'react';
import type { Draft, Drip } from './model/draft.ts';
import type { History } from './model/history.ts';
import type { Names } from './model/in-words.ts';
import type { Problems } from './model/problems.ts';
import type { StepKind } from './model/step.ts';
import type { Place } from './model/tree.ts';
import type { Nameable } from './names.ts';

/** Which part of a drip is looked at: the id of a step, or what is around the steps. */
export type Selected = string | null;

/** A drip that is open: as it is saved, as it stands in the editor, and how it is changed. */
export interface Editing {
  drip: Drip;
  draft: Draft;
  history: History;
  isDirty: boolean;
  /** Whether this person may change it, and it may be changed. */
  mayChange: boolean;
  /** Whether people rely on who enters by now. */
  isFrozen: boolean;
  nameable: Nameable;
  names: Names;
  problems: Problems;
  selected: Selected;
  select(part: Selected): void;
  /** Changes to the same part, one after the other, are one to be undone. */
  change(next: Draft, touched?: string): void;
  undo(): void;
  redo(): void;
  add(kind: StepKind, place: Place): void;
  remove(id: string): void;
  /** Takes over what the server has, but for what was changed since this was sent to it. */
  takeOver(drip: Drip, sent?: Draft): void;
  /** The drip as somebody else saved it while this was written. */
  theirs: Drip | null;
  setTheirs(drip: Drip | null): void;
  /** Goes on with theirs; what was written here is one step back. */
  takeTheirs(theirs: Drip): void;
  /** Goes on with what is written here, over theirs. */
  keepMine(theirs: Drip): void;
  /** Shows what the server refused where it belongs; answers whether there is such a place. */
  showRefusal(error: unknown): boolean;
  /** Takes away what the server refused before, once it takes it. */
  forgetRefusal(): void;
}

export const EditingContext = createContext<Editing | null>(null);

/** The drip that is open. Only for what stands inside of its page. */
export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (editing === null) throw new Error('No drip campaign is open');
  return editing;
}

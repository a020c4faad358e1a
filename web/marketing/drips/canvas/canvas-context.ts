import { createContext, type ReactNode, use } from 'react';
import type { Names } from '../model/in-words.ts';
import type { Problems } from '../model/problems.ts';
import type { StepKind } from '../model/step.ts';
import type { Place } from '../model/tree.ts';

/** What a canvas lets people do with the steps. */
export interface CanvasEditing {
  onAdd(kind: StepKind, place: Place): void;
  onMove(id: string, place: Place): void;
}

/** What the parts of a canvas know of it. */
export interface CanvasFacts {
  names: Names;
  /** Who enters, in a line. */
  entry: string;
  problems: Problems;
  selected: string | null;
  onSelect: ((part: string) => void) | null;
  editing: CanvasEditing | null;
  /** What stands at the foot of a part: how many are there, or who. */
  foot(id: string): ReactNode;
  /** The ways out of each fork, by what they are called. */
  armName(fork: string, arm: 'then' | 'else'): string;
  dropAt: string | null;
}

export const CanvasContext = createContext<CanvasFacts | null>(null);

/** The canvas that a part is drawn on. */
export function useCanvas(): CanvasFacts {
  const facts = use(CanvasContext);
  if (facts === null) throw new Error('There is no canvas');
  return facts;
}

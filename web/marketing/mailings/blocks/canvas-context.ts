import { createContext, use } from 'react';
import type { MergeField } from '../write/merge-fields.ts';
import type { Item, Place } from './items.ts';
import type { Kind } from './kinds.ts';

/** What every block of the canvas can ask for. */
export interface Canvas {
  fields: readonly MergeField[];
  /** The block whose fields are shown. */
  openId: string | null;
  open(id: string | null): void;
  move(id: string, to: Place): void;
  add(kind: Kind, at: Place): void;
  duplicate(item: Item): void;
  remove(item: Item): void;
  change(id: string, change: (item: Item) => Item): void;
  /** What is wrong with what stands at a place like `blocks[2]`. */
  problemsAt(path: string): readonly string[];
}

export const CanvasContext = createContext<Canvas | null>(null);

/** The canvas that a block stands on. */
export function useCanvas(): Canvas {
  const canvas = use(CanvasContext);
  if (canvas === null) throw new Error('A block stands on a canvas');
  return canvas;
}

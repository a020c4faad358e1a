import { createContext, use } from 'react';
import type { Reply } from '../../api/client.ts';
import type { Draft } from './draft/draft.ts';
import { type Edited } from './draft/edit.ts';
import type { Timeline } from './history.ts';

export type Form = Reply<'readForm'>['data'];
export type Finding = Reply<'checkForm'>['data'][number];

/** What every part of the builder works with. */
export interface Builder extends Timeline {
  form: Form;
  /** Whether the person may change anything. */
  mayEdit: boolean;
  /** Whether there is room for everything side by side. */
  isWide: boolean;
  /** Makes a step that can be undone; steps with the same `merge` in a row are one. */
  edit(change: (draft: Draft) => Draft | null, merge?: string): void;
  /** The same, where something else is looked at afterwards. */
  place(change: (now: { draft: Draft; selected: string | null }) => Edited | null): void;
  /** Says something to those who do not see what happened. */
  say(text: string): void;
  /** Puts the focus on what is selected, or on its first property, as soon as it stands there. */
  focusOn(what: 'row' | 'properties'): void;
  problems: readonly Finding[];
  /** The page or element that a finding is about. */
  keyOfFinding(finding: Finding): string | null;
}

export const BuilderContext = createContext<Builder | null>(null);

/** The builder around a component. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('Only inside of the builder');
  return builder;
}

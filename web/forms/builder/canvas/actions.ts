import { tell } from '../../../ui/toast.tsx';
import { words as kindWords } from '../../../words/builder/kinds.ts';
import { words } from '../../../words/builder.ts';
import { type Builder, useBuilder } from '../builder-context.ts';
import type { Element } from '../draft/draft.ts';
import {
  addElement,
  addPage,
  duplicateElement,
  moveElement,
  removeElement,
  removePage,
  restoreElement,
  restorePage,
  spotAfter,
  stepElement,
  stepPage,
} from '../draft/edit.ts';
import type { Kind } from '../draft/kinds.ts';
import { newElement } from '../draft/new-element.ts';
import { findElement, findPage, type Spot, spotOf } from '../draft/tree.ts';
import { elementInWords, keyInWords, placeInWords } from '../place-in-words.ts';

/** All that can be done on the canvas, each said aloud and each to be undone. */
export interface Actions {
  /** Behind what is selected, unless a place is given. */
  add(kind: Kind, spot?: Spot): void;
  move(element: Element, spot: Spot): void;
  step(element: Element, by: -1 | 1): void;
  duplicate(element: Element): void;
  remove(element: Element): void;
  addPage(): void;
  stepPage(key: string, by: -1 | 1): void;
  removePage(key: string): void;
}

/** The actions of the canvas. */
export function useActions(): Actions {
  const builder = useBuilder();
  return {
    add: (kind, spot) => add(builder, kind, spot),
    move: (element, spot) => moved(builder, element, moveElement(builder.draft, element.key, spot)),
    step: (element, by) => {
      const next = stepElement(builder.draft, element.key, by);
      if (next === null) builder.say(words.saidEdge(elementInWords(element)));
      else moved(builder, element, next);
    },
    duplicate: (element) => {
      const made = duplicateElement(builder.draft, element.key);
      if (made === null) return;
      builder.place(() => made);
      builder.focusOn('row');
      builder.say(words.saidDuplicated(elementInWords(element), placeInWords(made.draft, made.selected ?? '')));
    },
    remove: (element) => {
      const standing = findElement(builder.draft, element.key);
      if (standing === null) return;
      builder.place(({ draft }) => removeElement(draft, element.key));
      builder.focusOn('row');
      tell(words.removed(elementInWords(element)), () =>
        builder.place(({ draft }) => restoreElement(draft, standing.element, spotOf(standing))),
      );
    },
    addPage: () => {
      const { draft, selected } = builder;
      const at = draft.pages.findIndex(({ key }) => key === selected);
      const made = addPage(draft, { title: words.newPage }, at === -1 ? draft.pages.length : at + 1);
      builder.place(() => made);
      builder.focusOn('properties');
      builder.say(words.saidAdded(words.newPage, keyInWords(made.draft, made.selected ?? '')));
    },
    stepPage: (key, by) => {
      const next = stepPage(builder.draft, key, by);
      const page = keyInWords(builder.draft, key);
      if (next === null) return builder.say(words.saidEdge(page));
      builder.place(() => ({ draft: next, selected: key }));
      builder.focusOn('row');
      return builder.say(words.saidMoved(page, keyInWords(next, key)));
    },
    removePage: (key) => {
      const page = findPage(builder.draft, key);
      if (page === null) return;
      const before = builder.draft;
      const label = keyInWords(before, key);
      builder.place(({ draft }) => removePage(draft, key));
      builder.focusOn('row');
      tell(words.removed(label), () => builder.place(({ draft }) => restorePage(draft, page, before)));
    },
  };
}

function add(builder: Builder, kind: Kind, spot?: Spot): void {
  const { draft, selected } = builder;
  const made = addElement(draft, newElement(kind), spot ?? spotAfter(draft, selected, kind));
  builder.place(() => made);
  builder.focusOn('properties');
  builder.say(words.saidAdded(kindWords.kinds[kind].name, placeInWords(made.draft, made.selected ?? '')));
}

function moved(builder: Builder, element: Element, next: Builder['draft'] | null): void {
  if (next === null) return;
  builder.place(() => ({ draft: next, selected: element.key }));
  builder.focusOn('row');
  builder.say(words.saidMoved(elementInWords(element), placeInWords(next, element.key)));
}

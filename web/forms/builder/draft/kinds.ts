import { kindOf } from '../../../../src/forms/model/compile/element-kind.ts';
import { isPlain } from '../../../../src/forms/model/compile/settings.ts';
import type { QuestionKind } from '../../../../src/forms/model/form-model.ts';
import type { Element } from './draft.ts';
import { settingsOf } from './settings.ts';

/** What the builder makes and changes. */
export type Kind = Exclude<QuestionKind, 'unknown'> | 'heading' | 'section' | 'group';

/** What an element of a draft is; `unknown` takes any answer, `ornament` nothing at all. */
export type ElementKind = Kind | 'unknown' | 'ornament';

/** What an element is where it stands on a page. */
export function kindOfElement({ raw }: Element): ElementKind {
  if (!isPlain(raw)) return 'ornament';
  const kind = kindOf(settingsOf(raw));
  return kind === 'page' ? 'section' : kind;
}

/** Whether an element has an answer. */
export function isAsked(element: Element): boolean {
  return !['heading', 'section', 'ornament'].includes(kindOfElement(element));
}

/** Whether other elements may stand inside. */
export function isContainer(element: Element): boolean {
  const kind = kindOfElement(element);
  return kind === 'section' || kind === 'group';
}

/** Whether an element may stand in this one: groups hold questions and headings only. */
export function mayHold(container: Element, kind: ElementKind): boolean {
  if (!isContainer(container)) return false;
  return kindOfElement(container) === 'section' || (kind !== 'section' && kind !== 'group');
}

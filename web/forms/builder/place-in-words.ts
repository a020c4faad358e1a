import { words as kinds } from '../../words/builder/kinds.ts';
import { words } from '../../words/builder.ts';
import type { Draft, DraftPage, Element } from './draft/draft.ts';
import { kindOfElement } from './draft/kinds.ts';
import { labelOf } from './draft/names.ts';
import { SETTINGS, settingsOf } from './draft/settings.ts';
import { findElement, findPage } from './draft/tree.ts';

/** What an element is called for people; by its kind where it says nothing. */
export function elementInWords(element: Element): string {
  const label = labelOf(element).trim();
  return label === '' ? kindInWords(element) : label;
}

/** What an element is. */
export function kindInWords(element: Element): string {
  const kind = kindOfElement(element);
  return kind === 'unknown' || kind === 'ornament' ? kinds[kind] : kinds.kinds[kind].name;
}

/** What a page is called, with its number. */
export function pageInWords({ pages }: Draft, page: DraftPage): string {
  const number = pages.indexOf(page) + 1;
  const title = settingsOf(page.raw).text(...SETTINGS.title.keys);
  return title === null ? words.page(number) : words.pageTitled(number, title);
}

/** Where an element stands. */
export function placeInWords(draft: Draft, key: string): string {
  const standing = findElement(draft, key);
  if (standing === null) return '';
  const { page, around, list, index } = standing;
  const box = around.at(-1);
  return words.place(index + 1, list.length, box === undefined ? pageInWords(draft, page) : elementInWords(box));
}

/** What a key stands for. */
export function keyInWords(draft: Draft, key: string): string {
  const page = findPage(draft, key);
  if (page !== null) return pageInWords(draft, page);
  const element = findElement(draft, key)?.element;
  return element === undefined ? '' : elementInWords(element);
}

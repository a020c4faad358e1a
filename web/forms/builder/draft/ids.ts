import type { Draft, DraftPage, Element } from './draft.ts';
import { isAsked } from './kinds.ts';
import { labelOf, nameFrom, nameOf } from './names.ts';
import { locate, SETTINGS, settingsOf, withSetting } from './settings.ts';
import { allElements, changeElement, changePage, findElement, findPage } from './tree.ts';
import { writeDraft } from './write-draft.ts';

/** The id by which the product knows a page. Those without one are counted, and what stands before all breaks counts too. */
export function idOfPage({ pages, shape }: Draft, page: DraftPage): string {
  const before = shape !== 'pages' && pages[0]?.kind !== 'first' ? 1 : 0;
  return settingsOf(page.raw).text('id', 'key', 'name') ?? `page-${pages.indexOf(page) + 1 + before}`;
}

/** The id by which the product knows an element: its own, else its name, else the place where it stands. */
export function idOfElement(draft: Draft, element: Element): string {
  const settings = settingsOf(element.raw);
  if (isAsked(element)) return settings.text('id', 'key') ?? nameOf(element) ?? '';
  const own = settings.text('id', 'key', 'name');
  if (own !== null) return own;
  const place = [...writeDraft(draft).places].find(([, key]) => key === element.key);
  return place?.[0] ?? '';
}

/** The draft in which a page, heading or section keeps its id wherever it is moved. Questions have their names. */
export function withLastingId(draft: Draft, key: string): Draft {
  const page = findPage(draft, key);
  if (page !== null) {
    if (locate(page.raw, ['id', 'key', 'name']) !== null) return draft;
    const id = nameFrom(`page ${settingsOf(page.raw).text(...SETTINGS.title.keys) ?? ''}`, takenIds(draft));
    return changePage(draft, key, (each) => ({ ...each, raw: withSetting(each.raw, SETTINGS.id, id) }));
  }
  const element = findElement(draft, key)?.element;
  if (element === undefined || isAsked(element) || locate(element.raw, ['id', 'key', 'name']) !== null) return draft;
  const id = nameFrom(labelOf(element).slice(0, 40), takenIds(draft));
  return changeElement(draft, key, (each) => ({ ...each, raw: withSetting(each.raw, SETTINGS.id, id) }));
}

function takenIds(draft: Draft): Set<string> {
  const elements = allElements(draft).flatMap(({ element }) => [idOfElement(draft, element), nameOf(element) ?? '']);
  return new Set([...draft.pages.map((page) => idOfPage(draft, page)), ...elements]);
}

import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import { type Draft, type DraftPage, type Element, newKey } from './draft.ts';
import { isAsked, kindOfElement, mayHold } from './kinds.ts';
import { nameFrom, nameOf, namesBeside } from './names.ts';
import { emptyPage, readElement } from './read-draft.ts';
import { SETTINGS, withSetting } from './settings.ts';
import { allElements, changeList, findElement, findPage, type Spot, spotOf } from './tree.ts';
import { writeElement } from './write-draft.ts';

/** What a change made of a draft, and what is looked at afterwards. */
export interface Edited {
  draft: Draft;
  selected: string | null;
}

/** Puts a new element somewhere; it gets a name of its own. */
export function addElement(draft: Draft, raw: Plain, spot: Spot): Edited {
  const made = freshen(readElement(raw));
  const placed = insert(draft, made, spot);
  return { draft: withOwnNames(placed, made), selected: made.key };
}

/** Where something new goes: behind what is selected, or at the end of the page that is, or of the last one. */
export function spotAfter(draft: Draft, selected: string | null, kind: ReturnType<typeof kindOfElement>): Spot {
  const standing = findElement(draft, selected);
  if (standing !== null) {
    if (mayHold(standing.element, kind)) return { into: standing.element.key, index: standing.element.children.length };
    const spot = spotOf(standing);
    const around = standing.around.at(-1);
    if (around === undefined || mayHold(around, kind)) return { ...spot, index: spot.index + 1 };
    return { into: standing.page.key, index: standing.page.items.indexOf(standing.around[0] as Element) + 1 };
  }
  const page = findPage(draft, selected) ?? draft.pages.at(-1);
  return { into: page?.key ?? '', index: page?.items.length ?? 0 };
}

/** Moves an element to another place; null where it cannot stand there. */
export function moveElement(draft: Draft, key: string, spot: Spot): Draft | null {
  const standing = findElement(draft, key);
  if (standing === null || !mayStandIn(draft, standing.element, spot.into)) return null;
  const from = spotOf(standing);
  const index = from.into === spot.into && from.index < spot.index ? spot.index - 1 : spot.index;
  if (from.into === spot.into && from.index === index) return null;
  const taken = changeList(draft, from.into, (list) => list.filter((each) => each.key !== key));
  const { outside: _outside, ...moved } = standing.element;
  return insert(taken, from.into === spot.into ? standing.element : moved, { ...spot, index });
}

/** Whether an element can stand in a page or a container. */
export function mayStandIn(draft: Draft, element: Element, into: string): boolean {
  if (findPage(draft, into) !== null) return true;
  const target = findElement(draft, into);
  if (target === null) return false;
  const isInside = [...target.around, target.element].some(({ key }) => key === element.key);
  return !isInside && mayHold(target.element, kindOfElement(element));
}

/** One place up or down; beyond the edge of what it stands in, out of it. Null where there is no further place. */
export function stepElement(draft: Draft, key: string, by: -1 | 1): Draft | null {
  const standing = findElement(draft, key);
  if (standing === null) return null;
  const { into, index } = spotOf(standing);
  const next = by === -1 ? index - 1 : index + 2;
  if (next >= 0 && next <= standing.list.length) return moveElement(draft, key, { into, index: next });
  const outer = standing.around.at(-1);
  if (outer !== undefined) {
    const around = findElement(draft, outer.key);
    if (around === null) return null;
    const spot = spotOf(around);
    return moveElement(draft, key, { into: spot.into, index: by === -1 ? spot.index : spot.index + 1 });
  }
  const page = draft.pages[draft.pages.indexOf(standing.page) + by];
  if (page === undefined) return null;
  return moveElement(draft, key, { into: page.key, index: by === -1 ? page.items.length : 0 });
}

/** A second one like it right behind, under names of its own. */
export function duplicateElement(draft: Draft, key: string): Edited | null {
  const standing = findElement(draft, key);
  if (standing === null) return null;
  const copy = freshen(withoutIds(readElement(writeElement(standing.element, '', new Map()))));
  const spot = spotOf(standing);
  const placed = insert(draft, copy, { ...spot, index: spot.index + 1 });
  return { draft: withOwnNames(placed, copy), selected: copy.key };
}

/** Takes an element away; its neighbour is looked at next. */
export function removeElement(draft: Draft, key: string): Edited {
  const standing = findElement(draft, key);
  if (standing === null) return { draft, selected: null };
  const { into } = spotOf(standing);
  const neighbour = standing.list[standing.index + 1] ?? standing.list[standing.index - 1];
  const rest = changeList(draft, into, (list) => list.filter((each) => each.key !== key));
  return { draft: rest, selected: neighbour?.key ?? into };
}

/** Puts back an element that was removed, whatever was changed since; null where it stands there again already. */
export function restoreElement(draft: Draft, element: Element, spot: Spot): Edited | null {
  if (findElement(draft, element.key) !== null) return null;
  const isThere = findPage(draft, spot.into) !== null || findElement(draft, spot.into) !== null;
  const last = draft.pages.at(-1);
  const place = isThere ? spot : { into: last?.key ?? '', index: last?.items.length ?? 0 };
  return { draft: insert(draft, element, place), selected: element.key };
}

/** A new page at a place. */
export function addPage(draft: Draft, raw: Plain, index: number): Edited {
  const page: DraftPage =
    draft.shape === 'pages'
      ? emptyPage(raw)
      : { key: newKey(), kind: 'break', raw: { type: 'page', ...raw }, childPath: null, items: [] };
  return { draft: { ...draft, pages: draft.pages.toSpliced(index, 0, page) }, selected: page.key };
}

/** Moves a page one place; null where there is none. */
export function stepPage(draft: Draft, key: string, by: -1 | 1): Draft | null {
  const at = draft.pages.findIndex((page) => page.key === key);
  const page = draft.pages[at];
  if (page === undefined || draft.pages[at + by] === undefined) return null;
  return { ...draft, pages: draft.pages.toSpliced(at, 1).toSpliced(at + by, 0, page) };
}

/** Takes a page away with everything on it; the last one is emptied instead. */
export function removePage(draft: Draft, key: string): Edited {
  const at = draft.pages.findIndex((page) => page.key === key);
  const left = draft.pages.toSpliced(at, 1);
  const pages = left.length > 0 ? left : [{ ...(draft.pages[0] as DraftPage), key: newKey(), items: [] }];
  return { draft: { ...draft, pages }, selected: pages[Math.max(0, at - 1)]?.key ?? null };
}

/** Puts back a page that was removed from `before`; null where it stands there again already. */
export function restorePage(draft: Draft, page: DraftPage, before: Draft): Edited | null {
  if (findPage(draft, page.key) !== null) return null;
  const [first] = draft.pages;
  if (before.pages.length === 1 && first !== undefined) {
    const restored = changeList(draft, first.key, (list) => [...page.items, ...list]);
    return { draft: restored, selected: first.key };
  }
  const pages = draft.pages.toSpliced(before.pages.indexOf(page), 0, page);
  return { draft: { ...draft, pages }, selected: page.key };
}

function insert(draft: Draft, element: Element, { into, index }: Spot): Draft {
  return changeList(draft, into, (list) => list.toSpliced(index, 0, element));
}

function freshen(element: Element): Element {
  return { ...element, fresh: true, children: element.children.map(freshen) };
}

function withoutIds(element: Element): Element {
  if (!isPlain(element.raw)) return element;
  const name = nameOf(element);
  const named = name === null ? element.raw : withSetting(element.raw, SETTINGS.name, name);
  return { ...element, raw: withSetting(named, SETTINGS.id, undefined), children: element.children.map(withoutIds) };
}

/** Gives an element that was put in, and all inside of it, names that nothing beside them has. */
function withOwnNames(draft: Draft, made: Element): Draft {
  const keys = allElements(draft)
    .filter(({ element, around }) => [...around, element].some(({ key }) => key === made.key))
    .filter(({ element }) => isAsked(element))
    .map(({ element }) => element.key);
  return keys.reduce((named, key) => {
    const element = findElement(named, key)?.element;
    const name = element === undefined ? null : nameOf(element);
    const taken = namesBeside(named, key);
    if (name === null || !taken.has(name)) return named;
    const own = nameFrom(name.replace(/_\d+$/, ''), taken);
    // Nothing speaks of it yet, so that nothing else is renamed.
    return { ...named, pages: named.pages.map((page) => ({ ...page, items: renamed(page.items, key, own) })) };
  }, draft);
}

function renamed(list: readonly Element[], key: string, name: string): readonly Element[] {
  return list.map((each) =>
    each.key === key
      ? { ...each, raw: withSetting(each.raw, SETTINGS.name, name) }
      : { ...each, children: renamed(each.children, key, name) },
  );
}

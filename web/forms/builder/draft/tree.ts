import type { Draft, DraftPage, Element } from './draft.ts';

/** Where an element stands: the page, the containers around it and its place among its neighbours. */
export interface Standing {
  element: Element;
  page: DraftPage;
  /** From the outermost to the one it stands in; none where it stands on the page itself. */
  around: readonly Element[];
  list: readonly Element[];
  index: number;
}

/** A place in a page or in a container, by its key. */
export interface Spot {
  into: string;
  index: number;
}

/** Every element of a draft where it stands, from the first to the last. */
export function allElements({ pages }: Draft): Standing[] {
  return pages.flatMap((page) => within(page, [], page.items));
}

function within(page: DraftPage, around: readonly Element[], list: readonly Element[]): Standing[] {
  return list.flatMap((element, index) => [
    { element, page, around, list, index },
    ...within(page, [...around, element], element.children),
  ]);
}

/** Finds an element by its key. */
export function findElement(draft: Draft, key: string | null): Standing | null {
  return key === null ? null : (allElements(draft).find(({ element }) => element.key === key) ?? null);
}

/** Finds a page by its key. */
export function findPage({ pages }: Draft, key: string | null): DraftPage | null {
  return pages.find((page) => page.key === key) ?? null;
}

/** The key of what an element stands in. */
export function spotOf({ page, around, index }: Standing): Spot {
  return { into: around.at(-1)?.key ?? page.key, index };
}

/** What stands in a page or a container. */
export function listIn(draft: Draft, key: string): readonly Element[] {
  return findPage(draft, key)?.items ?? findElement(draft, key)?.element.children ?? [];
}

/** The draft with the elements of one page or container changed. */
export function changeList(draft: Draft, key: string, change: (list: readonly Element[]) => readonly Element[]): Draft {
  const inside = (list: readonly Element[]): readonly Element[] =>
    list.map((element) =>
      element.key === key
        ? { ...element, children: change(element.children) }
        : element.children.length === 0
          ? element
          : { ...element, children: inside(element.children) },
    );
  const pages = draft.pages.map((page) => ({
    ...page,
    items: page.key === key ? change(page.items) : inside(page.items),
  }));
  return { ...draft, pages };
}

/** The draft with every element changed, those inside of others too. */
export function changeEach(draft: Draft, change: (element: Element) => Element): Draft {
  const inside = (list: readonly Element[]): readonly Element[] =>
    list.map((each) => change({ ...each, children: inside(each.children) }));
  return { ...draft, pages: draft.pages.map((page) => ({ ...page, items: inside(page.items) })) };
}

/** The draft with one element changed. */
export function changeElement(draft: Draft, key: string, change: (element: Element) => Element): Draft {
  return changeEach(draft, (element) => (element.key === key ? change(element) : element));
}

/** The draft with one page changed. */
export function changePage(draft: Draft, key: string, change: (page: DraftPage) => DraftPage): Draft {
  return { ...draft, pages: draft.pages.map((page) => (page.key === key ? change(page) : page)) };
}

import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import type { Draft, DraftPage, Element } from './draft.ts';
import { setAt } from './settings.ts';

/** A draft as the form it is, and where in it each page and element came to stand. */
export interface Written {
  json: Plain;
  /** Keys by the path that the product names in what it finds. */
  places: Map<string, string>;
}

/** Writes the pages of a draft back into the shape they came in. */
export function writeDraft(draft: Draft): Written {
  const places = new Map<string, string>();
  const list = draft.shape === 'pages' ? writeEntries(draft.pages, places) : writeFlat(draft, places);
  return { json: { ...draft.json, [draft.shape]: list }, places };
}

function writeFlat({ pages, shape }: Draft, places: Map<string, string>): unknown[] {
  const list: unknown[] = [];
  for (const [place, page] of pages.entries()) {
    if (place === 0 && page.kind === 'first') append(list, shape, page.items, places);
    else appendBreak(list, shape, page, places);
  }
  return list;
}

function writeEntries(pages: readonly DraftPage[], places: Map<string, string>): unknown[] {
  const entries: Plain[] = [];
  let open: { raw: Plain; childPath: readonly string[] | null; list: unknown[] } | null = null;
  const close = () => {
    if (open === null) return;
    const isBare = open.childPath === null && open.list.length === 0;
    entries.push(isBare ? open.raw : setAt(open.raw, open.childPath ?? ['fields'], open.list));
  };
  for (const page of pages) {
    if (page.kind === 'break' && open !== null) {
      appendBreak(open.list, `pages[${entries.length}]`, page, places);
      continue;
    }
    close();
    const path = `pages[${entries.length}]`;
    open = { raw: page.raw, childPath: page.childPath, list: [] };
    places.set(path, page.key);
    append(open.list, path, page.items, places);
  }
  close();
  return entries;
}

/** A page that begins among elements; those that followed it still do. */
function appendBreak(list: unknown[], path: string, page: DraftPage, places: Map<string, string>): void {
  const own = `${path}[${list.length}]`;
  const { raw, childPath, items } = page;
  const cut = childPath === null ? 0 : items.findIndex(({ outside }) => outside);
  const inside = cut === -1 ? items : items.slice(0, cut);
  const written = { ...raw, ...(page.kind === 'break' ? {} : { type: 'page' }) };
  places.set(own, page.key);
  list.push(childPath === null ? written : setAt(written, childPath, append([], own, inside, places)));
  append(list, path, items.slice(inside.length), places);
}

function append(list: unknown[], path: string, elements: readonly Element[], places: Map<string, string>): unknown[] {
  for (const element of elements) {
    const own = `${path}[${list.length}]`;
    places.set(own, element.key);
    list.push(writeElement(element, own, places));
  }
  return list;
}

/** An element as it is written, with what stands inside of it. */
export function writeElement(
  { raw, childPath, children }: Element,
  path: string,
  places: Map<string, string>,
): unknown {
  if (!isPlain(raw) || (childPath === null && children.length === 0)) return raw;
  return setAt(raw, childPath ?? ['fields'], append([], path, children, places));
}

import { safeCss, safeLayout, styleRules } from '../../layout/index.ts';
import type { Item, Page } from '../../model/form-model.ts';
import type { PageView } from '../view.ts';
import { type Content, Html } from './html.ts';
import { remembering } from './remember.ts';

/** The class of the element that all of a customer's layout stands in. */
export const LAYOUT_CLASS = 'form-layout';

const SCOPE = `.${LAYOUT_CLASS}`;

const cssOf = remembering((css) => safeCss(css, SCOPE));
const rulesOf = remembering((html) => styleRules(html, SCOPE));
const piecesOf = remembering((htmlAndNames) => {
  const [html, ...names] = JSON.parse(htmlAndNames) as [string, ...string[]];
  return safeLayout(html, new Set(names));
});

/** What the customer's style sheet and style attributes say, made safe. */
export function customerCss({ layout }: PageView): string {
  return (layout.css === null ? '' : cssOf(layout.css)) + (layout.html === null ? '' : rulesOf(layout.html));
}

/**
 * The items of a page in the customer's layout, which may say where each question of a form of one page stands. What it
 * does not name follows, and where it names nothing it stands above all.
 */
export function inLayout({ layout, model, step }: PageView, page: Page, draw: (item: Item) => Html): Content[] {
  if (layout.html === null || step > 0) return page.items.map(draw);
  const slots = model.pages.length === 1 ? slotsOf(page.items) : new Map<string, Item[]>();
  const pieces = piecesOf(JSON.stringify([layout.html, ...slots.keys()]));
  const drawn = pieces.map((piece) =>
    piece.kind === 'html' ? new Html(piece.html) : slots.get(piece.name)?.map(draw),
  );
  const named = pieces.flatMap((piece) => (piece.kind === 'field' ? (slots.get(piece.name) ?? []) : []));
  return [...drawn, ...without(page.items, new Set(named)).map(draw)];
}

/** What goes to the place of each question: itself, and the headings right before it. */
function slotsOf(items: readonly Item[]): Map<string, Item[]> {
  const slots = new Map<string, Item[]>();
  let headings: Item[] = [];
  for (const item of items) {
    if (item.kind === 'heading') {
      headings.push(item);
      continue;
    }
    if (item.kind === 'section') for (const [name, slot] of slotsOf(item.items)) slots.set(name, slot);
    else slots.set(item.name, [...headings, item]);
    headings = [];
  }
  return slots;
}

function without(items: readonly Item[], placed: ReadonlySet<Item>): Item[] {
  return items.flatMap((item): Item[] => {
    if (placed.has(item)) return [];
    if (item.kind !== 'section') return [item];
    const rest = without(item.items, placed);
    return rest.length === 0 && item.items.length > 0 ? [] : [{ ...item, items: rest }];
  });
}

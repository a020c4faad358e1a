import type { FormModel, Item, Page } from '../model/form-model.ts';

/** Something that a form is made of, with its place. */
export interface Part {
  /** By which it is known in every version. */
  key: string;
  /** Null for pages. */
  parent: Part | null;
  /** What stands before it in the same place. */
  previous: Part | null;
  item: Page | Item;
}

/** The ids that are given to headings and sections without one; they change with the place. */
const PLACE = /\[\d+\]$/;

/** Everything in a form in its order, each with its place. */
export function partsOf({ pages }: FormModel): Part[] {
  const parts: Part[] = [];
  const taken = new Set<string>();
  const add = (items: readonly (Page | Item)[], parent: Part | null, scope: string): void => {
    let previous: Part | null = null;
    for (const item of items) {
      const part: Part = { key: freeKey(taken, scope + wordFor(item)), parent, previous, item };
      parts.push(part);
      previous = part;
      if ('items' in item) add(item.items, part, isGroup(item) ? `${part.key} > ` : scope);
    }
  };
  add(pages, null, '');
  return parts;
}

/** What a part is called in a sentence. */
function nounOf({ item }: Part): string {
  if (!('kind' in item)) return 'page';
  return item.kind === 'heading' || item.kind === 'section'
    ? item.kind
    : isGroup(item)
      ? 'repeating group'
      : 'question';
}

/** The words by which people know a part. */
export function labelOf({ item }: Part): string | null {
  if ('label' in item) return item.label;
  return 'text' in item ? item.text : item.title;
}

/** A part in a sentence: `the question "Your name"`. */
export function told(part: Part): string {
  const label = labelOf(part);
  return `the ${nounOf(part)} ${label === null || label === '' ? 'without a title' : `"${label}"`}`;
}

function isGroup(item: Page | Item): boolean {
  return 'kind' in item && item.kind === 'group';
}

function wordFor(item: Page | Item): string {
  if (!('kind' in item)) return `page ${item.id}`;
  if (item.kind !== 'heading' && item.kind !== 'section') return `question ${item.id}`;
  const words = item.kind === 'heading' ? item.text : item.title;
  return `${item.kind} ${PLACE.test(item.id) ? (words ?? '') : item.id}`;
}

function freeKey(taken: Set<string>, wanted: string): string {
  let key = wanted;
  for (let again = 2; taken.has(key); again += 1) key = `${wanted} ${again}`;
  taken.add(key);
  return key;
}

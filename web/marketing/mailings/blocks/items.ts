import type { Block, SimpleBlock } from '../../../../src/marketing/mailings/content/blocks.ts';

/** A block as the editor holds it: with an id that lasts while it is moved. */
export interface SimpleItem {
  id: string;
  block: SimpleBlock;
}

export interface ColumnsItem {
  id: string;
  columns: SimpleItem[][];
}

export type Item = SimpleItem | ColumnsItem;

/** Where a block stands: in the mail itself, or in a column. */
export interface Place {
  list: string;
  index: number;
}

/** The list that all others stand in. */
export const MAIL = 'mail';

/** The name of a column as a list. */
export function columnOf(itemId: string, column: number): string {
  return `${itemId}/${column}`;
}

/** Gives blocks ids. Plain text becomes text that can be formatted. */
export function itemsOf(blocks: readonly Block[]): Item[] {
  return blocks.map((block) =>
    block.type === 'columns'
      ? { id: crypto.randomUUID(), columns: block.columns.map((column) => column.map(simpleItem)) }
      : simpleItem(block),
  );
}

/** The blocks as the product keeps them. */
export function blocksOf(items: readonly Item[]): Block[] {
  return items.map((item) =>
    'columns' in item
      ? { type: 'columns', columns: item.columns.map((column) => column.map(({ block }) => block)) }
      : item.block,
  );
}

/** The blocks of a list, in their order. */
export function listOf(items: readonly Item[], list: string): readonly Item[] {
  if (list === MAIL) return items;
  return items.flatMap((item) =>
    'columns' in item ? item.columns.flatMap((column, at) => (columnOf(item.id, at) === list ? column : [])) : [],
  );
}

/** Where a block stands now. */
export function placeOf(items: readonly Item[], id: string): Place | null {
  for (const list of [MAIL, ...items.flatMap((item) => ('columns' in item ? listsOf(item) : []))]) {
    const index = listOf(items, list).findIndex((item) => item.id === id);
    if (index >= 0) return { list, index };
  }
  return null;
}

/** Where a new block goes: to the end, but above a footer that stands there. */
export function endOf(items: readonly Item[]): number {
  const last = items.at(-1);
  const endsWithFooter = last !== undefined && 'block' in last && last.block.type === 'footer';
  return endsWithFooter ? items.length - 1 : items.length;
}

/** Puts a block somewhere; columns cannot stand in a column, so there everything stays as it was. */
export function insertItem(items: readonly Item[], { list, index }: Place, item: Item): Item[] {
  if (list !== MAIL && 'columns' in item) return [...items];
  return inList(items, list, (there) => there.toSpliced(index, 0, item));
}

/** Takes a block out. */
export function removeItem(items: readonly Item[], id: string): Item[] {
  const place = placeOf(items, id);
  return place === null ? [...items] : inList(items, place.list, (there) => there.filter((item) => item.id !== id));
}

/** Moves a block before whatever stands at a place now. */
export function moveItem(items: readonly Item[], id: string, to: Place): Item[] {
  const from = placeOf(items, id);
  const item = from === null ? undefined : listOf(items, from.list)[from.index];
  if (from === null || item === undefined) return [...items];
  const isIntoColumn = to.list !== MAIL && 'columns' in item;
  if (isIntoColumn) return [...items];
  const index = from.list === to.list && from.index < to.index ? to.index - 1 : to.index;
  return insertItem(removeItem(items, id), { list: to.list, index }, item);
}

/** Changes what one block says. */
export function changeItem(items: readonly Item[], id: string, change: (item: Item) => Item): Item[] {
  const place = placeOf(items, id);
  if (place === null) return [...items];
  return inList(items, place.list, (there) => there.map((item) => (item.id === id ? change(item) : item)));
}

/** The same block once more, with ids of its own. */
export function copyOf(item: Item): Item {
  return itemsOf(blocksOf([item]))[0] as Item;
}

function listsOf({ id, columns }: ColumnsItem): string[] {
  return columns.map((_column, at) => columnOf(id, at));
}

function inList(items: readonly Item[], list: string, change: (there: Item[]) => Item[]): Item[] {
  if (list === MAIL) return change([...items]);
  return items.map((item) =>
    'columns' in item
      ? {
          ...item,
          columns: item.columns.map((column, at) =>
            columnOf(item.id, at) === list ? (change(column) as SimpleItem[]) : column,
          ),
        }
      : item,
  );
}

function simpleItem(block: SimpleBlock): SimpleItem {
  const id = crypto.randomUUID();
  if (block.type !== 'text') return { id, block };
  const lines = block.text.split(/\r\n?|\n/).map((text) => (text === '' ? [] : [{ text }]));
  return { id, block: { type: 'rich_text', parts: [{ type: 'paragraph', lines }] } };
}

import type { ListOrder } from './list-order.ts';
import type { Page } from './read-page.ts';

interface Ordered {
  name: string;
  /** Unknown as long as nobody has counted. */
  subscriber_count: number | null;
  created_at: Date;
  updated_at: Date;
}

interface Wanted {
  orderBy: ListOrder;
  order: 'asc' | 'desc';
  /** All of them where it is null. */
  page: Page | null;
}

/**
 * The page that is wanted of lists of any kind, counted. Where counts decide which page a list is on, all are counted first,
 * and the page once more: all together may be too many to be counted now.
 */
export async function pageInOrder<List extends Ordered>(
  lists: List[],
  wanted: Wanted,
  count: (lists: List[]) => Promise<List[]>,
): Promise<List[]> {
  if (wanted.orderBy !== 'subscriber_count') return count(cut(sort(lists, wanted), wanted));
  const sorted = sort(await count(lists), wanted);
  return wanted.page === null ? sorted : count(cut(sorted, wanted));
}

function sort<List extends Ordered>(lists: List[], { orderBy, order }: Wanted): List[] {
  const ascending = (one: List, other: List) => compare(keyOf(one, orderBy), keyOf(other, orderBy));
  return lists.toSorted(order === 'asc' ? ascending : (one, other) => ascending(other, one));
}

function cut<List>(lists: List[], { page }: Wanted): List[] {
  return page === null ? lists : lists.slice((page.page - 1) * page.items, page.page * page.items);
}

function keyOf(list: Ordered, by: ListOrder): string | number {
  if (by === 'name') return list.name.toLowerCase();
  if (by === 'subscriber_count') return list.subscriber_count ?? 0;
  return list[by].getTime();
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

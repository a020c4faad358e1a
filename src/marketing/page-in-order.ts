import type { Page } from './read-page.ts';

/** What lists of every kind go by. */
export const LIST_ORDERS = ['created_at', 'updated_at', 'name', 'subscriber_count'] as const;

export type ListOrder = (typeof LIST_ORDERS)[number];

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

/** The page that is wanted of lists of any kind, in the order that is wanted. */
export function pageInOrder<List extends Ordered>(lists: readonly List[], { orderBy, order, page }: Wanted): List[] {
  const ascending = (one: List, other: List) => compare(keyOf(one, orderBy), keyOf(other, orderBy));
  const sorted = lists.toSorted(order === 'asc' ? ascending : (one, other) => ascending(other, one));
  return page === null ? sorted : sorted.slice((page.page - 1) * page.items, page.page * page.items);
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

import { Type } from 'typebox';
import { readFlag } from '../../platform/http/body/flag.ts';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { LIST_ORDERS, type ListOrder } from '../list-order.ts';
import { one, type Page, readChoice, readPage, type Wire } from '../read-page.ts';

const ITEMS = { items: 10, most: 1_000 };

export interface SegmentQuery {
  search: string | null;
  orderBy: ListOrder;
  order: 'asc' | 'desc';
  /** Everything where there is none. */
  page: Page | null;
  /** Whether people are counted now, rather than told as they were last counted. */
  withStats: boolean;
}

export const SegmentListQuery = Type.Object({
  search: Parameter('Part of the name, ignoring case'),
  order_by: Parameter(`${LIST_ORDERS.join(', ')}; the first by default`),
  order: Parameter('desc (default) or asc'),
  with_stats: Parameter('false leaves the counts as they were last taken'),
  use_pagination: Parameter('true for a page at a time'),
  page: Parameter('1 and up'),
  items: Parameter(`Page size, ${ITEMS.items} by default, ${ITEMS.most} at most`),
});

/** Reads the parameters of the list of segments. */
export function readSegmentQuery(wire: Wire): SegmentQuery {
  const search = one(wire.search) ?? null;
  if (search !== null) refuseUnstorable(search);
  const page = readPage(wire, ITEMS);
  return {
    search,
    orderBy: readChoice('order_by', one(wire.order_by), LIST_ORDERS),
    order: readChoice('order', one(wire.order), ['desc', 'asc']),
    page: readFlag(one(wire.use_pagination)) === true ? page : null,
    withStats: readFlag(one(wire.with_stats)) ?? true,
  };
}

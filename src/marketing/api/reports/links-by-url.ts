import { type Static, Type } from 'typebox';
import type { Tx } from '../../../platform/db/database.ts';
import { PageInfo, Parameter } from '../../../platform/http/body/parameter.ts';
import { type LinkedUrl, readLinkedUrls, requireSomeSend } from '../../analytics/links-by-url.ts';
import { readText } from '../../analytics/people.ts';
import { inOnePage } from '../../analytics/report-csv.ts';
import { readScope, SCOPE_PARAMETERS } from '../../analytics/scope.ts';
import { hideSmall, MIN_CELL, readMinCell } from '../../analytics/small-cells.ts';
import type { Owner } from '../../of-owner.ts';
import { one, pageInfo, readChoice, type Wire } from '../../read-page.ts';
import type { MarketingDeps } from '../deps.ts';
import { Count, SUPPRESSED } from './counts-reply.ts';
import { pagingParameters, readReportPage } from './paging.ts';
import type { Report } from './report.ts';

const Row = Type.Object({
  url: Type.String(),
  tracking_link_ids: Type.Array(Type.String()),
  clicks: Count,
  unique_clicks: Count,
  ...SUPPRESSED,
});
const Reply = Type.Object({ data: Type.Array(Row), page_info: PageInfo });
const ORDERS = ['clicks', 'unique_clicks', 'url', 'created_at'] as const;

/** Where the links of a mailing lead, over all of its sends. */
export function linksByUrl({ requireOwn }: MarketingDeps): Report<typeof Reply> {
  async function urls(tx: Tx, { customerId, keys }: Owner, wire: Wire): Promise<LinkedUrl[]> {
    const search = readText(wire.search)?.toLowerCase() ?? '';
    const scope = await readScope(tx, requireOwn, customerId, wire);
    requireSomeSend(scope);
    const found = await readLinkedUrls(tx, keys, scope);
    return found.filter(({ url }) => url.toLowerCase().includes(search));
  }

  return {
    name: 'tracking_links_by_unique_link',
    operation: 'LinksByUrl',
    summary: 'The addresses that the links of a mailing or of a send lead to, with clicks and people',
    namesPeople: false,
    parameters: { ...SCOPE_PARAMETERS, search: Parameter('Part of the address, ignoring case'), ...MIN_CELL },
    paging: pagingParameters(ORDERS),
    reply: Reply,
    async read(tx, customerId, wire, keys) {
      const min = readMinCell(wire);
      const page = readReportPage(wire);
      const orderBy = readChoice('order_by', one(wire.order_by), ORDERS);
      const direction = readChoice('order', one(wire.order), ['desc', 'asc']) === 'asc' ? 1 : -1;
      const found = await urls(tx, { customerId, keys }, wire);
      const keyOf = (link: LinkedUrl) => (orderBy === 'created_at' ? Number(link.tracking_link_ids[0]) : link[orderBy]);
      const sorted = found.toSorted((a, b) => direction * compare(keyOf(a), keyOf(b)) || compare(a.url, b.url));
      const rows = sorted.slice((page.page - 1) * page.items, page.page * page.items);
      return { data: rows.map((row) => describe(row, min)), page_info: pageInfo(found.length, page) };
    },
    async open(tx, customerId, wire, keys) {
      const min = readMinCell(wire);
      const found = await urls(tx, { customerId, keys }, wire);
      return { row: Row, pages: inOnePage(found.map((row) => describe(row, min))) };
    },
  };
}

function describe({ url, tracking_link_ids, ...counts }: LinkedUrl, min: number | null): Static<typeof Row> {
  return { url, tracking_link_ids, ...hideSmall(counts, min) };
}

function compare<Value extends string | number>(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

import { type Static, Type } from 'typebox';
import type { Tx } from '../../../platform/db/database.ts';
import { PageInfo } from '../../../platform/http/body/parameter.ts';
import {
  CLICKER_SORTS,
  type Clicker,
  type ClickerFilter,
  clickersBefore,
  countClickers,
  listClickers,
} from '../../analytics/clickers.ts';
import { findLink, LINK_PARAMETERS } from '../../analytics/find-link.ts';
import { PEOPLE_PARAMETERS, readPeopleFilter } from '../../analytics/people.ts';
import { pageByPage } from '../../analytics/report-csv.ts';
import { readScope, SCOPE_PARAMETERS } from '../../analytics/scope.ts';
import { MIN_CELL, refuseMinCell } from '../../analytics/small-cells.ts';
import { one, pageInfo, readChoice, type Wire } from '../../read-page.ts';
import { fullNameOf } from '../../subscribers/subscriber.ts';
import type { MarketingDeps } from '../deps.ts';
import { pagingParameters, readReportPage } from './paging.ts';
import type { Report } from './report.ts';

const Row = Type.Object({
  subscriber_id: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  full_name: Type.String(),
  clicks: Type.Integer(),
  first_at: Type.String({ format: 'date-time' }),
});
const Reply = Type.Object({ data: Type.Array(Row), page_info: PageInfo });

/** Who followed a link. */
export function clickersTable({ db, requireOwn }: MarketingDeps): Report<typeof Reply> {
  async function choose(tx: Tx, customerId: number, wire: Wire): Promise<ClickerFilter> {
    const people = readPeopleFilter(customerId, wire);
    const scope = await readScope(tx, requireOwn, customerId, wire);
    return { link: await findLink(tx, scope, wire), people };
  }

  return {
    name: 'subscribers_by_tracking_link',
    operation: 'LinkClickers',
    summary: 'Who followed a link, how often and when first',
    namesPeople: true,
    parameters: { ...SCOPE_PARAMETERS, ...LINK_PARAMETERS, ...PEOPLE_PARAMETERS, ...MIN_CELL },
    paging: pagingParameters(CLICKER_SORTS),
    reply: Reply,
    async read(tx, customerId, wire) {
      refuseMinCell(wire);
      const page = readReportPage(wire);
      const orderBy = readChoice('order_by', one(wire.order_by), CLICKER_SORTS);
      const order = readChoice('order', one(wire.order), ['desc', 'asc']);
      const filter = await choose(tx, customerId, wire);
      const rows = await listClickers(tx, filter, { orderBy, order, ...page });
      return { data: rows.map(describe), page_info: pageInfo(await countClickers(tx, filter), page) };
    },
    async open(tx, customerId, wire) {
      refuseMinCell(wire);
      const filter = await choose(tx, customerId, wire);
      const pages = pageByPage<Clicker>(
        (last, items) => db.tenant([customerId], (reading) => clickersBefore(reading, filter, last, items)),
        describe,
      );
      return { row: Row, pages };
    },
  };
}

function describe({ subscriber_id, email, clicks, first_at: firstAt, ...name }: Clicker): Static<typeof Row> {
  return { subscriber_id, email, full_name: fullNameOf(name), clicks, first_at: firstAt.toISOString() };
}

import { type Static, Type } from 'typebox';
import { PageInfo } from '../../../platform/http/body/parameter.ts';
import {
  countDeliveries,
  DELIVERY_SORTS,
  type Delivery,
  deliveriesBefore,
  listDeliveries,
} from '../../analytics/deliveries.ts';
import { PEOPLE_PARAMETERS } from '../../analytics/people.ts';
import { DELIVERY_PARAMETERS, readDeliveryFilter } from '../../analytics/read-delivery-filter.ts';
import { pageByPage } from '../../analytics/report-csv.ts';
import { MIN_CELL, refuseMinCell } from '../../analytics/small-cells.ts';
import { one, pageInfo, readChoice } from '../../read-page.ts';
import { fullNameOf } from '../../subscribers/subscriber.ts';
import type { MarketingDeps } from '../deps.ts';
import { pagingParameters, readReportPage } from './paging.ts';
import type { Report } from './report.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

const Row = Type.Object({
  id: Type.String(),
  campaign_mailing_send_id: Type.String(),
  campaign_mailing_id: Type.String(),
  subscriber_id: Type.String(),
  email: Text,
  full_name: Type.String(),
  state: Type.String(),
  rule: Text,
  smtp_code: Type.Union([Type.Integer(), Type.Null()]),
  attempts: Type.Integer(),
  settled_at: Text,
  opened_at: Text,
  opens: Type.Integer(),
  machine_opens: Type.Integer(),
  clicked_at: Text,
  clicks: Type.Integer(),
  machine_clicks: Type.Integer(),
  unsubscribed_at: Text,
});
const Reply = Type.Object({ data: Type.Array(Row), page_info: PageInfo });

/** The ledger: who got what, and what they did with it. */
export function deliveriesTable({ db, requireOwn }: MarketingDeps): Report<typeof Reply> {
  return {
    name: 'campaign_mailing_deliveries_table',
    operation: 'DeliveriesTable',
    summary: 'What became of each mail, person by person',
    namesPeople: true,
    parameters: { ...DELIVERY_PARAMETERS, search: PEOPLE_PARAMETERS.search, ...MIN_CELL },
    paging: pagingParameters(DELIVERY_SORTS),
    reply: Reply,
    async read(tx, customerId, wire) {
      refuseMinCell(wire);
      const page = readReportPage(wire);
      const orderBy = readChoice('order_by', one(wire.order_by), DELIVERY_SORTS);
      const order = readChoice('order', one(wire.order), ['desc', 'asc']);
      const filter = await readDeliveryFilter(tx, requireOwn, customerId, wire);
      const rows = await listDeliveries(tx, filter, { orderBy, order, ...page });
      return { data: rows.map(describe), page_info: pageInfo(await countDeliveries(tx, filter), page) };
    },
    async open(tx, customerId, wire) {
      refuseMinCell(wire);
      const filter = await readDeliveryFilter(tx, requireOwn, customerId, wire);
      const pages = pageByPage<Delivery>(
        (last, items) => db.tenant([customerId], (reading) => deliveriesBefore(reading, filter, last, items)),
        describe,
      );
      return { row: Row, pages };
    },
  };
}

function describe({
  send_id: sendId,
  mailing_id: mailingId,
  first_name,
  last_name,
  ...rest
}: Delivery): Static<typeof Row> {
  return {
    ...rest,
    campaign_mailing_send_id: String(sendId),
    campaign_mailing_id: String(mailingId),
    full_name: fullNameOf({ first_name, last_name }),
    settled_at: rest.settled_at?.toISOString() ?? null,
    opened_at: rest.opened_at?.toISOString() ?? null,
    clicked_at: rest.clicked_at?.toISOString() ?? null,
    unsubscribed_at: rest.unsubscribed_at?.toISOString() ?? null,
  };
}

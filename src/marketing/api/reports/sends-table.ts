import { type Static, Type } from 'typebox';
import type { Tx } from '../../../platform/db/database.ts';
import { PageInfo, Parameter } from '../../../platform/http/body/parameter.ts';
import { readText } from '../../analytics/people.ts';
import { ratesOf } from '../../analytics/rates.ts';
import { PERIOD_PARAMETERS, readPeriod } from '../../analytics/read-period.ts';
import { pageByPage } from '../../analytics/report-csv.ts';
import { readScope, SCOPE_PARAMETERS } from '../../analytics/scope.ts';
import { countSendRows, listSendRows, SEND_ORDERS, type SendRow, sendRowsBefore } from '../../analytics/sends-table.ts';
import { hideSmall, MIN_CELL, readMinCell } from '../../analytics/small-cells.ts';
import { one, pageInfo, readChoice, type Wire } from '../../read-page.ts';
import type { MarketingDeps } from '../deps.ts';
import { COUNTS, OPEN, SUPPRESSED } from './counts-reply.ts';
import { pagingParameters, readReportPage } from './paging.ts';
import type { Report } from './report.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Rate = Type.Union([Type.Number(), Type.Null()]);

const Row = Type.Object({
  id: Type.String(),
  campaign_mailing_id: Type.String(),
  subject: Type.String(),
  list_name: Text,
  state: Type.String(),
  started_at: Text,
  finished_at: Text,
  ...COUNTS,
  ...OPEN,
  delivery_rate: Rate,
  bounce_rate: Rate,
  view_rate: Rate,
  click_rate: Rate,
  unsubscribe_rate: Rate,
  ...SUPPRESSED,
});
const Reply = Type.Object({ data: Type.Array(Row), page_info: PageInfo });

/** The sends, with what has become of each. */
export function sendsTable({ db, requireOwn }: MarketingDeps): Report<typeof Reply> {
  const choose = async (tx: Tx, customerId: number, wire: Wire) => ({
    scope: await readScope(tx, requireOwn, customerId, wire),
    search: readText(wire.search),
    period: readPeriod(wire),
  });

  return {
    name: 'campaign_mailing_sends_table',
    operation: 'SendsTable',
    summary: 'The sends with counts and rates',
    namesPeople: false,
    parameters: {
      ...SCOPE_PARAMETERS,
      ...PERIOD_PARAMETERS,
      search: Parameter('Part of the subject, ignoring case'),
      ...MIN_CELL,
    },
    paging: pagingParameters(SEND_ORDERS),
    reply: Reply,
    async read(tx, customerId, wire) {
      const min = readMinCell(wire);
      const page = readReportPage(wire);
      const orderBy = readChoice('order_by', one(wire.order_by), SEND_ORDERS);
      const order = readChoice('order', one(wire.order), ['desc', 'asc']);
      const choice = await choose(tx, customerId, wire);
      const rows = await listSendRows(tx, choice, { orderBy, order, ...page });
      const total = await countSendRows(tx, choice);
      return { data: rows.map((row) => describe(row, min)), page_info: pageInfo(total, page) };
    },
    async open(tx, customerId, wire) {
      const min = readMinCell(wire);
      const choice = await choose(tx, customerId, wire);
      const pages = pageByPage<SendRow>(
        (last, items) => db.tenant([customerId], (reading) => sendRowsBefore(reading, choice, last, items)),
        (row) => describe(row, min),
      );
      return { row: Row, pages };
    },
  };
}

function describe(
  {
    id,
    mailing_id: mailingId,
    subject,
    list_name,
    state,
    started_at: started,
    finished_at: finished,
    ...counts
  }: SendRow,
  min: number | null,
): Static<typeof Row> {
  const shown = hideSmall(counts, min);
  return {
    id: String(id),
    campaign_mailing_id: String(mailingId),
    subject,
    list_name,
    state,
    started_at: started?.toISOString() ?? null,
    finished_at: finished?.toISOString() ?? null,
    ...shown,
    ...ratesOf(shown),
  };
}

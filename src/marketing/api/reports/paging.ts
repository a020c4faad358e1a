import { Parameter } from '../../../platform/http/body/parameter.ts';
import { type Page, readPage, type Wire } from '../../read-page.ts';

/** The parameters that choose a page of a report. */
export const pagingParameters = (orders: readonly string[]) => ({
  page: Parameter('1 and up'),
  items: Parameter('Page size, 50 by default, 1000 at most'),
  order_by: Parameter(`${orders[0]} (default), ${orders.slice(1).join(', ')}`),
  order: Parameter('desc (default) or asc'),
});

/** Which page of a report is wanted. */
export function readReportPage(wire: Wire): Page {
  return readPage(wire, { items: 50, most: 1_000 });
}

import { Type } from 'typebox';
import type { Tx } from '../../../platform/db/database.ts';
import { readFlag } from '../../../platform/http/body/flag.ts';
import { Parameter } from '../../../platform/http/body/parameter.ts';
import { readDailyTotals, readPeriodTotals } from '../../analytics/dated-totals.ts';
import { PERIOD_PARAMETERS, readPeriod, readPeriodOfDays } from '../../analytics/read-period.ts';
import { inOnePage } from '../../analytics/report-csv.ts';
import { readScope, SCOPE_PARAMETERS } from '../../analytics/scope.ts';
import { hideSmall, MIN_CELL, readMinCell } from '../../analytics/small-cells.ts';
import { readTotals } from '../../analytics/totals.ts';
import { one, type Wire } from '../../read-page.ts';
import type { MarketingDeps } from '../deps.ts';
import { COUNTS, OPEN, SUPPRESSED } from './counts-reply.ts';
import type { Report } from './report.ts';

const Now = Type.Object({ ...COUNTS, ...OPEN, ...SUPPRESSED });
const Period = Type.Object({ ...COUNTS, ...SUPPRESSED });
const Day = Type.Object({ date: Type.String(), ...COUNTS, ...SUPPRESSED });
const Reply = Type.Object({ data: Type.Union([Now, Period, Type.Array(Day)]) });

/** What has become of mails, in all or by day. */
export function sendTotals({ clock, requireOwn }: MarketingDeps): Report<typeof Reply> {
  async function totals(tx: Tx, customerId: number, wire: Wire) {
    const min = readMinCell(wire);
    const byDate = readFlag(one(wire.by_date)) === true;
    const period = byDate ? readPeriodOfDays(wire, clock.now()) : readPeriod(wire);
    const scope = await readScope(tx, requireOwn, customerId, wire);
    if (byDate) {
      const days = await readDailyTotals(tx, scope, period);
      return { row: Day, data: days.map(({ date, ...counts }) => ({ date, ...hideSmall(counts, min) })) };
    }
    if (period.start === null && period.end === null) {
      return { row: Now, data: hideSmall(await readTotals(tx, scope), min) };
    }
    return { row: Period, data: hideSmall(await readPeriodTotals(tx, scope, period), min) };
  }

  return {
    name: 'campaign_mailing_send_totals',
    operation: 'SendTotals',
    summary: 'What has become of mails: so far, within a period, or by day',
    namesPeople: false,
    parameters: {
      ...SCOPE_PARAMETERS,
      ...PERIOD_PARAMETERS,
      by_date: Parameter('true for a row per day'),
      ...MIN_CELL,
    },
    paging: {},
    reply: Reply,
    read: async (tx, customerId, wire) => ({ data: (await totals(tx, customerId, wire)).data }),
    async open(tx, customerId, wire) {
      const { row, data } = await totals(tx, customerId, wire);
      return { row, pages: inOnePage([data].flat()) };
    },
  };
}

import { Type } from 'typebox';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { MIN_CELL, readMinCell } from '../analytics/small-cells.ts';
import { findDrip } from '../drip/campaigns/drip.ts';
import { hideSmallCounts } from '../drip/enrolments/hide-small.ts';
import { readVersion } from '../drip/enrolments/read-filter.ts';
import { PEOPLE_COUNT_NAMES, readStatistics, STEP_COUNT_NAMES } from '../drip/enrolments/statistics.ts';
import { readNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';
import { Count, SUPPRESSED } from './reports/counts-reply.ts';

const countsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Count])) as Record<Name, typeof Count>;

const StatisticsReply = Type.Object({
  ...countsOf(PEOPLE_COUNT_NAMES),
  ...SUPPRESSED,
  by_reason: Type.Record(Type.String(), Count, { description: 'How many left before the end, and why' }),
  steps: Type.Array(
    Type.Object({
      step: Type.String(),
      type: Type.String(),
      version: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where all versions are counted' }),
      ...countsOf(STEP_COUNT_NAMES),
      ...SUPPRESSED,
    }),
  ),
});

/** GET /drip_campaigns/{id}/statistics: what has become of people and mails, step by step. */
export function dripStatisticsEndpoint({ db, requireOwn }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/drip_campaigns/:id/statistics',
    operation: 'readDripStatistics',
    summary: 'How many are, were and left at each step of a drip campaign, and what became of its mails',
    access: { scope: 'marketing' },
    audit: null,
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({ version: Parameter('Only those who go by this version; all by default'), ...MIN_CELL }),
    reply: Type.Object({ data: StatisticsReply }),
    async handle({ caller: { customerId }, params, query }) {
      const min = readMinCell(query);
      return db.tenant([customerId], async (tx) => {
        const drip = await findDrip(tx, requireOwn, customerId, readNumber('id', params.id));
        const version = await readVersion(tx, drip, query);
        const { people, byReason, steps } = hideSmallCounts(await readStatistics(tx, drip, version), min);
        return { data: { ...people, by_reason: byReason, steps: steps.map((step) => ({ ...step, version })) } };
      });
    },
  });
}

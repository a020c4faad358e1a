import { Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { growthOf } from '../lists/growth.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { one, readNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const DAYS = 30;
const MOST_DAYS = 366;

/** GET /subscription_lists/{id}/growth: how a list grew and shrank. */
export function listGrowthEndpoint({ db, clock, requireOwn }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/subscription_lists/:id/growth',
    operation: 'readListGrowth',
    summary: 'Who joined and who left a list by day, the oldest day first',
    access: { scope: 'marketing' },
    audit: null,
    params: Type.Object({ id: Type.String({ description: 'A number' }) }),
    query: Type.Object({ days: Parameter(`How many days back, ${DAYS} by default, ${MOST_DAYS} at most`) }),
    reply: Type.Object({
      data: Type.Array(
        Type.Object({ day: Type.String({ format: 'date' }), joined: Type.Integer(), left: Type.Integer() }),
      ),
    }),
    handle: ({ caller: { customerId }, params, query }) =>
      db.tenant([customerId], async (tx) => {
        const days = readDays(one(query.days));
        const listId = readNumber('id', params.id);
        await requireOwnList(tx, requireOwn, customerId, listId, 'id');
        return { data: await growthOf(tx, { customerId, listId }, { days, now: clock.now() }) };
      }),
  });
}

function readDays(text: string | undefined): number {
  if (text === undefined) return DAYS;
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > MOST_DAYS) {
    throw invalidField('days', `takes a number from 1 to ${MOST_DAYS}`);
  }
  return Number(text);
}

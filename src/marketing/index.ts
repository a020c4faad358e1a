import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Area } from '../platform/http/area.ts';
import type { Idempotency } from '../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import { MarketingError, marketingErrorBody } from './api/errors.ts';
import { createSubscriberEndpoint } from './api/subscribers.ts';

export { DEFAULT_LIST_NAME } from './lists/default-list.ts';
export { type Joining, peopleRows } from './subscribers/joining.ts';
export type { NewSubscriber } from './subscribers/read-subscriber.ts';

interface Deps {
  db: Database;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
}

/** The Marketing area as the server mounts it. */
export function createMarketingArea(deps: Deps): Area {
  return {
    name: 'marketing',
    bases: ['/v1/marketing', '/marketing', '/v1/orca/:username'],
    headerForms: ['token', 'bearer'],
    errorSchema: MarketingError,
    errorBody: marketingErrorBody,
    endpoints: [createSubscriberEndpoint(deps)],
  };
}

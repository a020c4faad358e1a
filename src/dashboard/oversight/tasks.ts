import { type GrantNews, makeDueReviews, TELL_OF_GRANT, TELL_OF_OVERDUE, tellOfOverdue } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CronEntry, Task } from '../../platform/jobs/runner.ts';
import type { MailDeps } from '../account-mail.ts';
import { mailOfGrant } from './tell-of-grant.ts';
import { mailOfOverdue } from './tell-of-overdue.ts';

const REVIEW = 'reviews.hourly';

/** When reviews of what was done are made. */
export const OVERSIGHT_CRON: CronEntry[] = [{ task: REVIEW, schedule: '41 * * * *' }];

/** The side jobs of oversight; they read more than the worker role may. */
export function createOversightTasks(deps: MailDeps & { db: Database; clock: Clock }): Record<string, Task> {
  return {
    [TELL_OF_GRANT]: ({ customerId, grantId, what }) =>
      mailOfGrant(deps, { customerId: Number(customerId), grantId: String(grantId), what: what as GrantNews }),
    [REVIEW]: async () => {
      await makeDueReviews(deps);
      await tellOfOverdue(deps);
    },
    [TELL_OF_OVERDUE]: ({ customerId, reviewId }) =>
      mailOfOverdue(deps, { id: String(reviewId), customerId: Number(customerId) }),
  };
}

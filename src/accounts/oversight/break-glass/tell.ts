import type { Tx } from '../../../platform/db/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

/** The side job that tells owners and the security contact of emergency access. */
export const TELL_OF_GRANT = 'break-glass.tell';

export type GrantNews = 'asked' | 'opened' | 'ended';

/** Has those whom it concerns told, from the moment that the transaction commits. */
export function tellOfGrant(
  tx: Tx,
  { customerId, grantId, what }: { customerId: number; grantId: string; what: GrantNews },
): Promise<void> {
  return enqueueJob(tx, TELL_OF_GRANT, { customerId, grantId, what }, `break-glass/${grantId}/${what}`);
}

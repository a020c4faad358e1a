import { isDatabaseAway, isPassingConflict } from '../../../platform/db/failure.ts';
import type { Log } from '../../../platform/log.ts';

export interface Witness {
  log: Log;
  /** Told that a part was not done as the database was away for it: it has to be taken up again soon. */
  onOutage?(): void;
}

/**
 * Does a part of the work and answers how much that was. Of two who wait for each other one starts again, as if it had
 * not begun; and a part that fails is told of and holds up no other.
 */
export async function orNothing(
  { log, onOutage }: Witness,
  about: { dripId?: number; customerId?: number },
  work: () => Promise<number>,
  onFailure?: () => void,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (isPassingConflict(error)) return 1;
    log.error({ err: error, ...about }, 'drips failed to advance');
    if (isDatabaseAway(error)) onOutage?.();
    else onFailure?.();
    return 0;
  }
}

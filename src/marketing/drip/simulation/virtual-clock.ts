import type { Clock } from '../../../platform/clock.ts';

/** A clock that shows what it is set to, and never goes back. */
export interface VirtualClock extends Clock {
  moveTo(at: Date): void;
}

export function createVirtualClock(start: Date): VirtualClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    moveTo: (at) => {
      now = Math.max(now, at.getTime());
    },
  };
}

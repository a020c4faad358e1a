import type { Clock } from '../../src/platform/clock.ts';

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export function createMovableClock(start = new Date()): MovableClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms;
    },
  };
}

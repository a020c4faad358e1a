import { setTimeout as sleep } from 'node:timers/promises';

/** Time as it is told and waited for. */
interface Timer {
  now(): number;
  wait(ms: number, over: AbortSignal): Promise<void>;
}

const realTimer: Timer = {
  now: () => Date.now(),
  wait: (ms, over) => sleep(ms, undefined, { signal: over }).catch(() => undefined),
};

/**
 * Takes a turn every so often until it is over, or a turn answers that there is no use in another. One that takes too
 * long puts the next ones off; those that were missed are not made up for.
 */
export async function takeTurns(
  everyMs: number,
  over: AbortSignal,
  turn: () => Promise<boolean>,
  { now, wait }: Timer = realTimer,
): Promise<void> {
  for (let due = now() + everyMs; ; due = Math.max(due + everyMs, now())) {
    await wait(Math.max(0, due - now()), over);
    if (over.aborted || !(await turn())) return;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 90_000;

/** Asks again until the answer is there; fails after a deadline that nothing healthy comes near. */
export async function eventually<T>(
  ask: () => Promise<T | null | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`nothing after ${deadlineMs} ms`);
    await sleep(20);
  }
}

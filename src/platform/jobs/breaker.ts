import type { Clock } from '../clock.ts';

const MOST_FAILURES = 5;
const REST_MS = 60_000;

/** Does work unless it failed again and again under the same key: then it fails at once, but for one try a minute. */
export type Breaker = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes a breaker, which forgets what it knows when the process ends. */
export function createBreaker(clock: Clock): Breaker {
  const failing = new Map<string, { times: number; nextTry: number }>();
  return async (key, work) => {
    const now = clock.now().getTime();
    const known = failing.get(key);
    if (known !== undefined && known.times >= MOST_FAILURES) {
      if (now < known.nextTry) throw new Error('rests after it failed again and again');
      known.nextTry = now + REST_MS; // the others go on resting while this one tries
    }
    try {
      const result = await work();
      failing.delete(key);
      return result;
    } catch (error) {
      const times = (failing.get(key)?.times ?? 0) + 1;
      failing.set(key, { times, nextTry: clock.now().getTime() + REST_MS });
      throw error;
    }
  };
}

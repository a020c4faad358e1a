import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

const KEPT_MS = 2_000;
const PATIENCE_MS = 4_000;

/** What was looked at lately; null where it could not be seen. */
export type Look<T> = () => Promise<T | null>;

/**
 * Looks at something for whoever scrapes, every two seconds unless said otherwise and never for longer than a scraper
 * waits: several of them cost no more than one.
 */
export function keepLook<T>(
  { clock, log, name, keptMs = KEPT_MS }: { clock: Clock; log: Log; name: string; keptMs?: number },
  read: () => Promise<T>,
): Look<T> {
  let last: { at: number; value: Promise<T | null> } | null = null;
  const look = async () => {
    try {
      return await inTime(read());
    } catch (error) {
      log.warn({ err: error, look: name }, 'could not be looked at for the metrics');
      return null;
    }
  };
  return () => {
    const now = clock.now().getTime();
    if (last === null || now - last.at >= keptMs || now < last.at) last = { at: now, value: look() };
    return last.value;
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('too slow')), PATIENCE_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

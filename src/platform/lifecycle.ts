import type { Log } from './log.ts';

/** Repeats work at an interval, one run at a time; the returned function ends it. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  { log, name }: { log: Log; name: string },
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = work()
      .catch((error) => log.warn({ err: error, task: name }, 'periodic work failed'))
      .finally(() => (busy = false));
  }, ms);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

import type { Log } from '../log.ts';

export interface Lane {
  start(): void;
  /** Says that there may be work now. */
  nudge(): void;
  /** Lets the turn under way finish and stops. */
  stop(): Promise<void>;
}

/**
 * Works through rows that are leased where they stand. `turn` takes what is due and answers how much
 * that was; while there is more it goes on, otherwise it waits to be nudged or for the idle time, which may
 * depend on what there is to come.
 */
export function createLane(
  deps: { name: string; log: Log },
  turn: () => Promise<number>,
  idleMs: number | (() => number),
): Lane {
  let running: Promise<void> | undefined;
  let stopping = false;
  let wake: (() => void) | undefined;
  let nudged = false;

  async function loop(): Promise<void> {
    for (;;) {
      if (stopping) return;
      nudged = false;
      let done = 0;
      try {
        done = await turn();
      } catch (error) {
        deps.log.error({ err: error, lane: deps.name }, 'lane turn failed');
      }
      if (done === 0 && !stopping && !nudged) await idle();
    }
  }

  function idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, typeof idleMs === 'number' ? idleMs : idleMs());
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    start() {
      running ??= loop();
    },
    nudge() {
      nudged = true;
      wake?.();
    },
    async stop() {
      stopping = true;
      wake?.();
      await running;
    },
  };
}

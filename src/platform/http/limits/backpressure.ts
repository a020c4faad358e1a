import { statfs } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';

const RETRY_AFTER_SECONDS = 10;

export interface Backpressure {
  /** Throws while new work must be refused, so that what was accepted always finds room. */
  refuseWhenFull(): void;
  /** Looks at the disk; called once a second. */
  look(): Promise<void>;
  readonly full: boolean;
}

export type FreeBytes = (folder: string) => Promise<number>;

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Refuses writes before the disk is full: reads go on, and writing resumes by itself. */
export function createBackpressure(deps: {
  folder: string;
  leastFreeBytes: number;
  log: Log;
  freeBytes?: FreeBytes;
}): Backpressure {
  const { folder, leastFreeBytes, log, freeBytes = freeBytesOf } = deps;
  let full = false;
  return {
    get full() {
      return full;
    },
    refuseWhenFull() {
      if (full)
        throw new AppError('unavailable', 'The disk is nearly full', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
    async look() {
      const nowFull = (await freeBytes(folder)) < leastFreeBytes;
      if (nowFull !== full)
        log.warn({ full: nowFull }, nowFull ? 'disk nearly full: refusing writes' : 'disk has room again');
      full = nowFull;
    },
  };
}

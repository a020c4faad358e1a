import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { isDatabaseAway, isPassingConflict, isUnanswered } from './failure.ts';

interface Options<Item, Result> {
  /** Writes all items in one transaction and answers in their order. */
  commit(items: Item[]): Promise<Result[]>;
  sizeOf(item: Item): number;
  maxItems?: number;
  maxBytes?: number;
  maxWaiting?: number;
  maxWaitingBytes?: number;
  /** How long a batch that is not full waits for company, where nobody waits for the answer. */
  gatherMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const TRIES = 3;

/**
 * Lets concurrent callers share a transaction, so that being durable costs one disk flush for many.
 * Unless told otherwise nobody waits for company: the next transaction takes whatever has gathered. An item that cannot be
 * written fails alone; its neighbours are written without it.
 */
export function createGroupCommit<Item, Result>(options: Options<Item, Result>): (item: Item) => Promise<Result> {
  const { commit, sizeOf, maxItems = 128, maxBytes = 4 * 2 ** 20, maxWaiting = 4_096 } = options;
  const { maxWaitingBytes = 64 * 2 ** 20, gatherMs = 0 } = options;
  const queue: Waiting<Item, Result>[] = [];
  // One transaction at a time gathers the most company while it waits for the disk.
  let isRunning = false;
  let waitingBytes = 0;

  function takeBatch(): Waiting<Item, Result>[] {
    let count = 0;
    let bytes = 0;
    while (count < queue.length && count < maxItems) {
      bytes += sizeOf((queue[count] as Waiting<Item, Result>).item);
      if (bytes > maxBytes && count > 0) break;
      count += 1;
    }
    const batch = queue.splice(0, count);
    for (const { item } of batch) waitingBytes -= sizeOf(item);
    return batch;
  }

  function takeAll(): Waiting<Item, Result>[] {
    waitingBytes = 0;
    return queue.splice(0);
  }

  async function settleAll(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      if (gatherMs > 0 && queue.length < maxItems) await sleep(gatherMs);
      await settle(takeBatch());
    }
    isRunning = false;
  }

  /** Answers the error of a database that said nothing to it. */
  async function settle(batch: Waiting<Item, Result>[]): Promise<Error | null> {
    try {
      const results = await commitWithRetry(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      return null;
    } catch (error) {
      const isSilent = isUnanswered(error);
      if (!isSilent && batch.length > 1 && !isDatabaseAway(error)) return settleSingly(batch);
      // Who waits behind a silent database has waited as long, and would begin to wait anew.
      for (const { reject } of isSilent ? [...batch, ...takeAll()] : batch) reject(error);
      return isSilent ? (error as Error) : null;
    }
  }

  async function settleSingly(batch: Waiting<Item, Result>[]): Promise<Error | null> {
    let silence: Error | null = null;
    for (const single of batch) {
      if (silence === null) silence = await settle([single]);
      else single.reject(silence);
    }
    return silence;
  }

  async function commitWithRetry(items: Item[]): Promise<Result[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await commit(items);
      } catch (error) {
        if (!isPassingConflict(error) || attempt === TRIES) throw error;
      }
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      const size = sizeOf(item);
      if (queue.length >= maxWaiting || (queue.length > 0 && waitingBytes + size > maxWaitingBytes)) {
        reject(new AppError('unavailable', 'Too much work is waiting', { retryAfterSeconds: 1 }));
        return;
      }
      queue.push({ item, resolve, reject });
      waitingBytes += size;
      if (isRunning) return;
      // Started in the next turn, so that requests read from the sockets together go together.
      setImmediate(() => !isRunning && queue.length > 0 && void settleAll());
    });
}

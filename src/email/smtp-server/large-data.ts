/** Up to here a message is read as it comes. */
const LARGEST_AT_ONCE = 256 * 1024;
/** How much is read of large messages, of all together, before everybody else is looked at. */
const MOST_IN_A_TURN = 128 * 1024;

/** The turns in which large messages are read, so that a small one never waits for more than a slice of them. */
export interface LargeData {
  /** Waits for a turn to read so many bytes more of a message, where that is large and its turn has yet to come. */
  turn(received: number, bytes: number): Promise<void> | undefined;
}

/** Builds the turns of one server. Large messages take them one after the other, each behind all that wait already. */
export function createLargeData(): LargeData {
  const waiting: { bytes: number; goOn(): void }[] = [];
  let read = 0;
  let isDue = false;

  function lookSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isDue = false;
    read = 0;
    while (read < MOST_IN_A_TURN) {
      const next = waiting.shift();
      if (next === undefined) return;
      count(next.bytes);
      next.goOn();
    }
  }

  function count(bytes: number): void {
    read += bytes;
    lookSoon();
  }

  return {
    turn(received, bytes) {
      if (received < LARGEST_AT_ONCE) return undefined;
      if (read < MOST_IN_A_TURN && waiting.length === 0) {
        count(bytes);
        return undefined;
      }
      return new Promise((goOn) => waiting.push({ bytes, goOn }));
    },
  };
}

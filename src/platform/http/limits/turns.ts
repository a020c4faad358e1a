import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { FairQueue, type Origin } from './fair-queue.ts';

const MOST_AT_ONCE = 64;
/** Who is refused at once would otherwise come again, hundreds of times, before those who wait for the database are looked at. */
const MOST_IN_A_TURN = 16;
const COUNTS_FOR_MS = 500;

export interface Turns {
  /** Goes on with a request at once, or when others have been answered. */
  wait(reply: ServerResponse, originOf: () => Origin, goOn: () => void): void;
  /** No longer counts those that take long; called several times a second. */
  look(): void;
}

interface Waiting {
  reply: ServerResponse;
  goOn(): void;
}

/**
 * Keeps the number of requests that are worked on small. Each takes tens of kilobytes until it is answered, and when hundreds
 * are under way at once every collection of the heap finds them alive, so that all together are answered later. What waits here has
 * only its headers read. Whoever takes long, as a large upload does, waits for its client and not for this process, and
 * so keeps nobody from going on. Who sends hundreds at once waits behind itself alone.
 */
export function createTurns(now: () => number = () => performance.now()): Turns {
  const working = new Map<ServerResponse, number>();
  const waiting = new FairQueue<Waiting>();
  let answered: ServerResponse[] = [];
  let begun = 0;
  let isDue = false;

  function begin({ reply, goOn }: Waiting): void {
    begun += 1;
    lookSoon();
    working.set(reply, now());
    reply.once('close', () => {
      answered.push(reply);
      lookSoon();
    });
    goOn();
  }

  function lookSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isDue = false;
    begun = 0;
    for (const reply of answered) working.delete(reply);
    answered = [];
    letIn();
  }

  function hasRoom(): boolean {
    return working.size < MOST_AT_ONCE && begun < MOST_IN_A_TURN;
  }

  function letIn(): void {
    while (hasRoom()) {
      const next = waiting.take();
      if (next === undefined) return;
      if (!next.reply.destroyed) begin(next);
    }
  }

  return {
    wait(reply, originOf, goOn) {
      if (hasRoom() && waiting.isEmpty) begin({ reply, goOn });
      else waiting.add(originOf(), { reply, goOn: AsyncResource.bind(goOn) }); // not on behalf of whoever made room
    },
    look() {
      for (const [reply, since] of working) {
        if (now() - since < COUNTS_FOR_MS) break; // the others began later
        working.delete(reply);
      }
      letIn();
    },
  };
}

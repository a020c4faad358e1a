import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { FairQueue, type Origin } from './fair-queue.ts';

const MOST_AT_ONCE = 48;
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
  const answered: ServerResponse[] = [];
  const waiting = new FairQueue<Waiting>();

  function begin({ reply, goOn }: Waiting): void {
    working.set(reply, now());
    reply.once('close', () => end(reply));
    goOn();
  }

  /** Only with the turn of the event loop, or whoever is refused at once could come again before those who wait for the database. */
  function end(reply: ServerResponse): void {
    if (answered.push(reply) === 1) setImmediate(makeRoom);
  }

  function makeRoom(): void {
    for (const reply of answered.splice(0)) working.delete(reply);
    letIn();
  }

  function letIn(): void {
    while (working.size < MOST_AT_ONCE) {
      const next = waiting.take();
      if (next === undefined) return;
      if (!next.reply.destroyed) begin(next);
    }
  }

  return {
    wait(reply, originOf, goOn) {
      if (working.size < MOST_AT_ONCE) begin({ reply, goOn });
      else waiting.add(originOf(), { reply, goOn: AsyncResource.bind(goOn) }); // not on behalf of whoever made room
    },
    look() {
      for (const [reply, begun] of working) {
        if (now() - begun < COUNTS_FOR_MS) break; // the others began later
        working.delete(reply);
      }
      letIn();
    },
  };
}

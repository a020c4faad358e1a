import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
const GIVE_UP_MS = 30_000;
/** Only for what is lost without a word: a node that dies closes its connections, one that is busy answers late. */
const ANSWER_MS = 15_000;

/** A client that asks until it is answered, and knows how long it was refused. */
export interface PersistentClient {
  /** Repeats an attempt until it answers; whatever it throws is a refusal. */
  insist<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T>;
  readonly told: Told;
}

interface Told {
  answered: number;
  refused: number;
  /** The longest time from the start of an attempt that was refused to the start of the one that was answered. */
  longestRefusalMs: number;
  /** The longest time from a first attempt to an answer. */
  longestAnswerMs: number;
}

export function createPersistentClient(): PersistentClient {
  const told: Told = { answered: 0, refused: 0, longestRefusalMs: 0, longestAnswerMs: 0 };
  return {
    told,
    async insist(attempt) {
      const first = performance.now();
      for (;;) {
        const start = performance.now();
        try {
          const answer = await attempt(AbortSignal.timeout(ANSWER_MS));
          told.answered += 1;
          told.longestRefusalMs = Math.max(told.longestRefusalMs, Math.round(start - first));
          told.longestAnswerMs = Math.max(told.longestAnswerMs, Math.round(performance.now() - first));
          return answer;
        } catch (error) {
          told.refused += 1;
          if (performance.now() - first > GIVE_UP_MS) throw new Error('nobody answers', { cause: error });
          await sleep(PAUSE_MS);
        }
      }
    },
  };
}

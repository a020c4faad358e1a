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
  /** How often it was refused, by what it was told: a status, a reply code, or the error of a connection. */
  readonly refusals: Map<string, number>;
}

interface Told {
  answered: number;
  refused: number;
  /** The longest time from the start of an attempt that was refused to the start of the one that was answered. */
  longestRefusalMs: number;
  /** The longest time from a first attempt to an answer. */
  longestAnswerMs: number;
}

export function createPersistentClient({ giveUpMs = GIVE_UP_MS } = {}): PersistentClient {
  const told: Told = { answered: 0, refused: 0, longestRefusalMs: 0, longestAnswerMs: 0 };
  const refusals = new Map<string, number>();
  return {
    told,
    refusals,
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
          const reason = reasonOf(error as Refusal);
          refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
          if (performance.now() - first > giveUpMs) throw new Error('nobody answers', { cause: error });
          await sleep(PAUSE_MS);
        }
      }
    },
  };
}

/** An error of a mail client, of fetch, or of an attempt that names the status which it got. */
interface Refusal extends Error {
  responseCode?: number;
}

function reasonOf({ name, message, responseCode }: Refusal): string {
  if (name === 'TimeoutError') return 'no answer';
  return String(responseCode ?? /: ([45]\d\d) /.exec(message)?.[1] ?? message);
}

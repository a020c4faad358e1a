import type { Clock } from '../../platform/clock.ts';

const MOST = 10_000;

/** Answers kept for a short while: other nodes change what they are made of. */
export interface Memory<Key, Answer> {
  /** The answer to a question, found anew when it is too old. */
  of(key: Key, find: () => Promise<Answer>): Promise<Answer>;
  forget(key: Key): void;
}

/** Builds a memory in which nothing is older than the given time; what fails is not kept. */
export function createMemory<Key, Answer>(clock: Clock, ms: number): Memory<Key, Answer> {
  const kept = new Map<Key, { answer: Promise<Answer>; until: number }>();
  return {
    of(key, find) {
      const now = clock.now().getTime();
      const known = kept.get(key);
      if (known !== undefined && known.until > now) return known.answer;
      if (kept.size >= MOST) kept.clear();
      const entry = { answer: find(), until: now + ms };
      kept.set(key, entry);
      entry.answer.catch(() => kept.get(key) === entry && kept.delete(key));
      return entry.answer;
    },
    forget: (key) => void kept.delete(key),
  };
}

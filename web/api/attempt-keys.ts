/** The Idempotency-Keys of what is done at one place. */
export interface AttemptKeys {
  /** The key for what is asked: that of before, while nobody knows how it ended. */
  take(asked: string): Promise<string>;
  /** It is known how it ended. */
  settle(key: string): void;
  /** The answer got lost. */
  lose(key: string, asked: string): void;
  /** It was not let in: what is known of the time before stays as it was. */
  putBack(key: string): void;
}

/** Keys that are gone with the place. */
export function createPageKeys(): AttemptKeys {
  let lost: { key: string; asked: string } | null = null;
  return {
    take: async (asked) => (lost?.asked === asked ? lost.key : crypto.randomUUID()),
    settle() {
      lost = null;
    },
    lose(key, asked) {
      lost = { key, asked };
    },
    putBack: () => undefined,
  };
}

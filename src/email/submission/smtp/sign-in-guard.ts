import type { Clock } from '../../../platform/clock.ts';
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts';

const NETWORK_FAILURES = { count: 20, windowSeconds: 60 };
const KEY_FAILURES = { count: 10, windowSeconds: 60 };
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
const KNOWN_MS = 24 * 3600 * 1000;
const MOST_NOTES = 20_000;
const PUBLIC_ID = /^cp_(?:live|test)_([0-9A-Za-z]{12})/;

/** Whoever tries to sign in: from which network, by its pseudonym, and with which key. */
export interface Attempt {
  network: string;
  key: string;
}

/** Slows guessing down and stops it, without handing anybody a way to lock a customer out. */
export interface SignInGuard {
  /** Whether the key may be looked at; in a lock even the right one is not. */
  admits(attempt: Attempt): boolean;
  /** Counts a failure and answers how long the refusal has to wait. */
  noteFailure(attempt: Attempt): number;
  noteSuccess(attempt: Attempt): void;
}

/** Counts failures with all other nodes. `take` counts by itself, so each lock is noted here until it ends. */
export function createSignInGuard({ rateLimits, clock }: { rateLimits: RateLimits; clock: Clock }): SignInGuard {
  const locks = new Notes();
  const known = new Notes();

  function countFailure(subject: string, rate: { count: number; windowSeconds: number }): number {
    const { remaining, resetSeconds } = rateLimits.take(subject, rate);
    const now = clock.now().getTime();
    if (remaining === 0) locks.set(subject, now + resetSeconds * 1000);
    return rate.count - remaining;
  }

  const isLocked = (subject: string) => locks.has(subject, clock.now().getTime());

  return {
    admits({ network, key }) {
      if (isLocked(networkSubject(network))) return false;
      return known.has(pairOf(network, key), clock.now().getTime()) || !isLocked(keySubject(key));
    },
    noteFailure({ network, key }) {
      const byNetwork = countFailure(networkSubject(network), NETWORK_FAILURES);
      const byKey = PUBLIC_ID.test(key) ? countFailure(keySubject(key), KEY_FAILURES) : 0;
      return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (Math.max(byNetwork, byKey) - 1));
    },
    noteSuccess({ network, key }) {
      known.set(pairOf(network, key), clock.now().getTime() + KNOWN_MS);
    },
  };
}

function networkSubject(network: string): string {
  return `smtp-sign-in:${network}`;
}

function keySubject(key: string): string {
  return `smtp-sign-in-key:${PUBLIC_ID.exec(key)?.[1] ?? ''}`;
}

function pairOf(network: string, key: string): string {
  return `${network}/${keySubject(key)}`;
}

/** Names with an end, the oldest given up when there are too many. */
class Notes {
  readonly #until = new Map<string, number>();

  set(name: string, until: number): void {
    this.#until.delete(name);
    this.#until.set(name, until);
    if (this.#until.size > MOST_NOTES) this.#until.delete(this.#until.keys().next().value as string);
  }

  has(name: string, now: number): boolean {
    const until = this.#until.get(name);
    if (until !== undefined && until <= now) this.#until.delete(name);
    return until !== undefined && until > now;
  }
}

import type { SecureChannel } from '../dialogue/connect.ts';
import type { PeerFailure } from '../dialogue/smtp-replies.ts';

const FIRST_LIMIT = 5;
const MOST_AT_ONCE = 20;
const MOST_WAITING = 16;
const MOST_CARRIED = 1_000;
const IDLE_MS = 20_000;
const FAILURES_TO_REST = 3;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 15 * 60_000;

/** Why nothing is tried at a site for a while. */
export interface Rest {
  until: Date;
  failure: PeerFailure;
}

interface Idle {
  channel: SecureChannel;
  timer: NodeJS.Timeout;
}

/**
 * The servers behind one set of names, and how much of them is used at once: success widens it, and a 4xx or a connection
 * that fails halves it. A site that cannot be reached is left alone for a while, longer each time.
 */
export class Site {
  readonly #mostAtOnce: number;
  readonly #idle: Idle[] = [];
  #waiting: { enter(): void; leave(error: Error): void }[] = [];
  #limit: number;
  #busy = 0;
  #successes = 0;
  #failures = 0;
  #rest: Rest | null = null;

  constructor(limits: { first: number; most: number } = { first: FIRST_LIMIT, most: MOST_AT_ONCE }) {
    this.#limit = limits.first;
    this.#mostAtOnce = limits.most;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Whether more mail for it would only wait in memory. */
  get isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING;
  }

  /** Whether it will soon have nothing to do. */
  get isHungry(): boolean {
    return this.#waiting.length < MOST_WAITING / 4;
  }

  isUnused(now: Date): boolean {
    const isQuiet = this.#busy === 0 && this.#waiting.length === 0 && this.#idle.length === 0;
    return isQuiet && this.restAt(now) === null;
  }

  /** The rest that the site is given at a moment, if any. */
  restAt(now: Date): Rest | null {
    return this.#rest !== null && this.#rest.until > now ? this.#rest : null;
  }

  /** Works when it is this work's turn. */
  async turn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.#limit) await new Promise<void>((enter, leave) => this.#waiting.push({ enter, leave }));
    else this.#busy += 1;
    try {
      return await work();
    } finally {
      // The place goes to who waits, unless there are fewer places by now.
      const next = this.#busy <= this.#limit ? this.#waiting.shift() : undefined;
      if (next === undefined) this.#busy -= 1;
      else next.enter();
    }
  }

  /** Turns away whoever waits. */
  halt(reason: Error): void {
    for (const { leave } of this.#waiting.splice(0)) leave(reason);
  }

  /** A message went through. */
  succeeded(): void {
    this.#failures = 0;
    this.#rest = null;
    this.#successes += 1;
    if (this.#successes < this.#limit || this.#limit >= this.#mostAtOnce) return;
    this.#successes = 0;
    this.#limit += 1;
    this.#admit();
  }

  /** The servers asked for less. */
  slowed(): void {
    this.#successes = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  /** No connection came about. */
  failed(now: Date, failure: PeerFailure): void {
    this.slowed();
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_REST) return;
    const ms = Math.min(FIRST_REST_MS * 2 ** (this.#failures - FAILURES_TO_REST), LONGEST_REST_MS);
    this.#rest = { until: new Date(now.getTime() + ms), failure };
  }

  /** A connection that is open and fits. */
  takeIdle(fits: (channel: SecureChannel) => boolean): SecureChannel | null {
    for (let at = this.#idle.length - 1; at >= 0; at -= 1) {
      const { channel, timer } = this.#idle[at] as Idle;
      if (channel.usable && !fits(channel)) continue;
      this.#idle.splice(at, 1);
      clearTimeout(timer);
      if (channel.usable) return channel;
    }
    return null;
  }

  /** Keeps a connection for the next message. */
  keep(channel: SecureChannel): void {
    if (!channel.usable) return;
    if (channel.carried >= MOST_CARRIED || this.#idle.length >= this.#mostAtOnce) return channel.close();
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((each) => each.channel === channel),
        1,
      );
      channel.close();
    }, IDLE_MS).unref();
    this.#idle.push({ channel, timer });
  }

  close(): void {
    for (const { channel, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      channel.close();
    }
  }

  #admit(): void {
    const next = this.#busy < this.#limit ? this.#waiting.shift() : undefined;
    if (next === undefined) return;
    this.#busy += 1;
    next.enter();
  }
}

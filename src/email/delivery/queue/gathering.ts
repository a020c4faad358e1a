/** Looks at the queue that are this far apart find more, and cost the same. */
const APART_MS = 10;

/** Spaces looks at the queue while so much is under way that nobody is idle. */
export class Gathering {
  readonly #now: () => number;
  #lookedAt = -Infinity;
  #cameAt = -Infinity;
  #cameAlone = false;
  #goOn: (() => void) | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Says that mail came in: what comes alone is looked for at once, what comes in a stream waits for more of it. */
  came(): void {
    const now = this.#now();
    this.#cameAlone ||= now - this.#cameAt > APART_MS;
    this.#cameAt = now;
    if (this.#cameAlone) this.#goOn?.();
  }

  /** Resolves when it is time for the next look. */
  async untilNext({ isBusy }: { isBusy: boolean }): Promise<void> {
    const early = this.#lookedAt + APART_MS - this.#now();
    if (isBusy && early > 0 && !this.#cameAlone) await this.#pause(early);
    this.#cameAlone = false;
    this.#lookedAt = this.#now();
  }

  /** Waits no longer. */
  end(): void {
    this.#goOn?.();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#goOn = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** A message must come at least this much further each time. */
const DATA_PROGRESS = 16 * 1024;

/** How long a client may take. */
export interface Pace {
  /** For one whole command (RFC 5321 4.5.3.2.7). */
  commandMs: number;
  /** For the next part of a message. */
  dataMs: number;
  /** For reading the last reply before the connection is cut. */
  lingerMs: number;
  /** For everything together; without it there is no end. */
  sessionMs?: number;
}

/** How often somebody who is served beyond their time is looked at again. */
const LATE_LOOK_MS = 100;

/** The time that one client has left: single bytes do not buy more of it. */
export class Patience {
  readonly #pace: Pace;
  readonly #atEnd: () => void;
  readonly #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #waiting = false;
  #received = 0;

  constructor(pace: Pace, atEnd: () => void) {
    this.#pace = pace;
    this.#atEnd = atEnd;
    this.#endsAt = performance.now() + (pace.sessionMs ?? Number.POSITIVE_INFINITY);
    this.awaitCommand();
  }

  awaitCommand(): void {
    this.#await(this.#pace.commandMs);
  }

  awaitData(): void {
    this.#received = 0;
    this.#await(this.#pace.dataMs);
  }

  /** Waits anew once enough of a message has come in. */
  noteData(received: number): void {
    if (received - this.#received < DATA_PROGRESS) return;
    this.#received = received;
    this.#await(this.#pace.dataMs);
  }

  awaitEnd(): void {
    this.#waitFor(this.#pace.lingerMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #await(ms: number): void {
    const left = this.#endsAt - performance.now();
    if (left > 0) this.#waitFor(Math.min(ms, left));
    else if (!this.#waiting) this.#waitFor(LATE_LOOK_MS);
  }

  #waitFor(ms: number): void {
    clearTimeout(this.#timer);
    this.#waiting = true;
    this.#timer = setTimeout(() => {
      this.#waiting = false;
      this.#atEnd();
    }, ms);
  }
}

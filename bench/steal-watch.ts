import { readClock } from './undisturbed.ts';

const LOOK_MS = 20;
/** What was stolen shortly before something began may hold it up, and so may what is stolen soon after. */
const BEFORE_MS = 100;
const AFTER_MS = 250;

/** Notes the moments in which the host of a virtual machine ran others in its place. */
export class StealWatch {
  readonly #stolen: { from: number; to: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let last = { at: Date.now(), ...readClock() };
    this.#timer = setInterval(() => {
      const next = { at: Date.now(), ...readClock() };
      if (next.stolen > last.stolen) this.#stolen.push({ from: last.at, to: next.at });
      last = next;
    }, LOOK_MS);
  }

  /** Whether what began at a moment met one of those. The window is the same for all, so that what took long is not left out for that. */
  met(began: number): boolean {
    return this.#stolen.some(({ from, to }) => to > began - BEFORE_MS && from < began + AFTER_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

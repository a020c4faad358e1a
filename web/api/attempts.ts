import { problemOf } from './problem.ts';

interface Attempt {
  input: unknown;
  asked: string;
  key: string;
  isUnderWay: boolean;
  /** Nobody knows whether it was carried out: the connection broke, or the server failed. */
  isUncertain: boolean;
}

/** What is done at one place of a page: each thing once, however often it is pressed and the connection breaks. */
export class Attempts {
  #last: Attempt | null = null;

  /** Begins, unless just this is being done already. */
  begin(input: unknown): boolean {
    if (this.#last?.isUnderWay === true && this.#last.asked === JSON.stringify(input)) return false;
    this.#start(input);
    return true;
  }

  /** Does it by an Idempotency-Key, which is the one of before while nobody knows how that ended. */
  async make<Made>(input: unknown, work: (key: string) => Promise<Made>): Promise<Made> {
    const begun = this.#last;
    const attempt = begun !== null && begun.input === input ? begun : this.#start(input);
    try {
      return await work(attempt.key);
    } catch (error) {
      const problem = problemOf(error);
      attempt.isUncertain = problem.status === 0 || problem.status >= 500;
      throw problem;
    }
  }

  /** Says that what follows from it has been done as well. */
  end(input: unknown): void {
    const attempt = this.#last;
    if (attempt !== null && attempt.input === input) attempt.isUnderWay = false;
  }

  #start(input: unknown): Attempt {
    const asked = JSON.stringify(input);
    const before = this.#last;
    const key = before?.isUncertain === true && before.asked === asked ? before.key : crypto.randomUUID();
    const attempt = { input, asked, key, isUnderWay: true, isUncertain: false };
    this.#last = attempt;
    return attempt;
  }
}

import { type AttemptKeys, createPageKeys } from './attempt-keys.ts';
import { type ApiProblem, problemOf } from './problem.ts';

interface Attempt {
  input: unknown;
  asked: string;
  isUnderWay: boolean;
}

/** What is done at one place of a page: each thing once, however often it is pressed and the connection breaks. */
export class Attempts {
  readonly #keys: AttemptKeys;
  #last: Attempt | null = null;

  constructor(keys: AttemptKeys = createPageKeys()) {
    this.#keys = keys;
  }

  /** Begins, unless just this is being done already. */
  begin(input: unknown): boolean {
    if (this.#last?.isUnderWay === true && this.#last.asked === JSON.stringify(input)) return false;
    this.#start(input);
    return true;
  }

  /** Does it by an Idempotency-Key, which is the one of before while nobody knows how that ended. */
  async make<Made>(input: unknown, work: (key: string) => Promise<Made>): Promise<Made> {
    const begun = this.#last;
    const { asked } = begun !== null && begun.input === input ? begun : this.#start(input);
    const key = await this.#keys.take(asked);
    try {
      const made = await work(key);
      this.#keys.settle(key);
      return made;
    } catch (error) {
      const problem = problemOf(error);
      if (isUncertain(problem)) this.#keys.lose(key, asked);
      else if (isOfTheDoor(problem)) this.#keys.putBack(key);
      else this.#keys.settle(key);
      throw problem;
    }
  }

  /** Says that what follows from it has been done as well. */
  end(input: unknown): void {
    const attempt = this.#last;
    if (attempt !== null && attempt.input === input) attempt.isUnderWay = false;
  }

  #start(input: unknown): Attempt {
    const attempt = { input, asked: JSON.stringify(input), isUnderWay: true };
    this.#last = attempt;
    return attempt;
  }
}

/** Whether nobody knows what became of a request: the connection broke, or the server failed. */
export function isUncertain({ status }: ApiProblem): boolean {
  return status === 0 || status >= 500;
}

/** Whether a request was not even looked at, which says nothing of the same one before. */
function isOfTheDoor({ status }: ApiProblem): boolean {
  return status === 401 || status === 403 || status === 429;
}

import { AppError } from '../platform/errors.ts';
import { newSecret } from '../platform/secret.ts';
import { hashPassword, isPassword } from './passwords.ts';

const AT_ONCE = 2;
const MOST_WAITING = 24;

/** Hashes passwords a few at a time, so that nobody can take the server's memory by guessing. */
export interface PasswordQueue {
  hash(password: string): Promise<string>;
  /** Whether a hash is of this password; takes as long where there is no hash. */
  matches(hash: string | null, password: string): Promise<boolean>;
}

/** Makes the queue; whoever comes when it is full is told to come back. */
export function createPasswordQueue(): PasswordQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  const nobody = hashPassword(newSecret());

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= MOST_WAITING) {
        throw new AppError('unavailable', 'Too many people are signing in right now', { retryAfterSeconds: 2 });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    matches: (hash, password) =>
      inTurn(async () => (await isPassword(hash ?? (await nobody), password)) && hash !== null),
  };
}

import { readFileSync } from 'node:fs';
import { type Invocation, required, UsageError } from './command.ts';

/** What the file that an option names holds. */
export function readFileOption(invocation: Invocation, name: string): Buffer {
  const file = required(invocation, name);
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`--${name} takes a file that can be read`);
  }
}

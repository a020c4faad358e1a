import { readFileSync } from 'node:fs';
import { readFingerprints } from '../forms/index.ts';
import { type Invocation, type Output, UsageError } from './command.ts';

/** The bytes of the file that a command was given. */
export function readGiven({ given }: Invocation): Buffer {
  try {
    return readFileSync(given);
  } catch {
    throw new UsageError('the file cannot be read');
  }
}

/** The fingerprints that --key names, one of which has to be of the key that signed; null where it is not compared. */
export function knownKeys({ options }: Invocation): string[] | null {
  if (options.key === undefined) return null;
  const keys = readFingerprints(options.key);
  if (keys === null) throw new UsageError('--key takes a fingerprint, 64 hexadecimal digits, or several with commas');
  return keys;
}

/** What has to be said where no key was named: whoever signed could be anybody. */
export function notCompared(what: 'file' | 'pack', keys: string[] | null): string[] {
  if (keys !== null) return [];
  return [
    `The key was NOT compared: whoever made the ${what} may have signed it with a key of their own. Give its fingerprint with --key.`,
  ];
}

/** What a check found, or that nothing is proved where it throws the error of what is broken. */
export async function verdict(
  Broken: new (message: string) => Error,
  check: () => Output | Promise<Output>,
): Promise<Output> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { json: { ok: false, fault: error.message }, text: `NOT PROVED: ${error.message}`, failed: true };
  }
}

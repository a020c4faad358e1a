import { createHash, randomBytes } from 'node:crypto';

export type RandomBytes = (bytes: number) => Buffer;

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** A secret of 256 bits, as it stands in links and cookies. */
export function newSecret(random: RandomBytes = randomBytes): string {
  return random(SECRET_BYTES).toString('base64url');
}

/** What is stored of a secret; null where a text cannot be one. */
export function hashSecret(text: string): Buffer | null {
  return SECRET.test(text) ? createHash('sha256').update(text).digest() : null;
}

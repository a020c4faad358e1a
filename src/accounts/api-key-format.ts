import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 12;
const SECRET_LENGTH = 43; // 256 bits
const CHECKSUM_LENGTH = 6;
const KEY = new RegExp(
  `^cp_(live|test)_([0-9A-Za-z]{${PUBLIC_ID_LENGTH}})[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

export type KeyMode = 'live' | 'test';

/** A new key: shown once, known afterwards by its public id and its hash. */
export function generateKey(
  mode: KeyMode,
  secret: string = randomText(SECRET_LENGTH),
): { key: string; publicId: string; secretHash: Buffer } {
  const publicId = randomText(PUBLIC_ID_LENGTH);
  const key = writeKey(mode, publicId, secret);
  return { key, publicId, secretHash: hashKey(key) };
}

/** A key as whoever holds it sees it. */
export function writeKey(mode: KeyMode, publicId: string, secret: string): string {
  const body = `cp_${mode}_${publicId}${secret}`;
  return body + checksumOf(body);
}

/** A secret of 256 bits that are as good as random. */
export function secretOfBits(bits: Buffer): string {
  let rest = BigInt(`0x${bits.toString('hex')}`);
  let text = '';
  for (let place = 0; place < SECRET_LENGTH; place += 1) {
    text = (ALPHABET[Number(rest % 62n)] as string) + text;
    rest /= 62n;
  }
  return text;
}

/** The public id in a key, or null for what was never one of ours: typing errors cost no lookup. */
export function publicIdOf(key: string): string | null {
  const match = KEY.exec(key);
  if (match === null || checksumOf(key.slice(0, -CHECKSUM_LENGTH)) !== key.slice(-CHECKSUM_LENGTH)) return null;
  return match[2] as string;
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = (ALPHABET[rest % ALPHABET.length] as string) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

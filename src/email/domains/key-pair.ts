import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const BITS = 2_048;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const RANDOM_LETTERS = 8;
const ED25519_BYTES = 32;

export type Algorithm = 'rsa' | 'ed25519';

/** A key as it is made: the public part as its DNS record has it, the private part as PEM. */
export interface NewKey {
  algorithm: Algorithm;
  selector: string;
  publicKey: string;
  privateKey: string;
}

const generate = promisify(generateKeyPair);

/** Makes the two keys of a pair, under selectors that nobody else has. */
export async function makePair(pair: number): Promise<NewKey[]> {
  const name = `cp${randomLetters()}`;
  const [rsa, ed25519] = await Promise.all([generate('rsa', { modulusLength: BITS }), generate('ed25519')]);
  return [
    {
      algorithm: 'rsa',
      selector: `${name}r${pair}`,
      publicKey: derOf(rsa.publicKey).toString('base64'),
      privateKey: pemOf(rsa.privateKey),
    },
    {
      algorithm: 'ed25519',
      selector: `${name}e${pair}`,
      // RFC 8463 4: the key itself, without the structure around it.
      publicKey: derOf(ed25519.publicKey).subarray(-ED25519_BYTES).toString('base64'),
      privateKey: pemOf(ed25519.privateKey),
    },
  ];
}

function derOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function randomLetters(): string {
  return Array.from(randomBytes(RANDOM_LETTERS), (byte) => BASE32[byte % BASE32.length]).join('');
}

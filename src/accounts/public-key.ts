import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** A public key as it travels. */
export function encodePublicKey(publicKey: KeyObject): string {
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** A key that has travelled, or null where it is none. */
export function decodePublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' && encodePublicKey(key) === text ? key : null;
  } catch {
    return null;
  }
}

/** What two people compare to know that they mean the same key. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256').update(encodePublicKey(publicKey), 'base64').digest('hex');
}

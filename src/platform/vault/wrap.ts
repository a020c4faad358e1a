import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Purpose, StoredKey } from './key-store.ts';
import type { MasterKey, MasterKeys } from './master-key.ts';
import { SealBroken } from './seal-broken.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface KeyName {
  customerId: number;
  purpose: Purpose;
  version: number;
}

/** Wraps a customer key; it can be unwrapped for that customer, purpose and version only. */
export function wrapKey(master: MasterKey, name: KeyName, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', master.wrapping, nonce);
  cipher.setAAD(nameBytes(name));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** Unwraps a customer key, or throws where the master key is another one or the bytes were altered. */
export function unwrapKey(masterKeys: MasterKeys, customerId: number, stored: StoredKey): Buffer {
  const master = masterKeys.byId(stored.masterKeyId);
  if (master === null) throw new Error(`master key ${stored.masterKeyId} is not at hand`);
  const { purpose, version, wrapped } = stored;
  try {
    const decipher = createDecipheriv('aes-256-gcm', master.wrapping, wrapped.subarray(0, NONCE_BYTES));
    decipher.setAAD(nameBytes({ customerId, purpose, version }));
    decipher.setAuthTag(wrapped.subarray(wrapped.length - TAG_BYTES));
    const body = decipher.update(wrapped.subarray(NONCE_BYTES, wrapped.length - TAG_BYTES));
    return Buffer.concat([body, decipher.final()]);
  } catch {
    throw new SealBroken();
  }
}

/** Key material as the crypto library wants it; raw buffers cost six times as much per call. */
export function toKeyObject(key: Buffer): KeyObject {
  const object = createSecretKey(key);
  key.fill(0);
  return object;
}

function nameBytes({ customerId, purpose, version }: KeyName): Buffer {
  return Buffer.from(`carepost key\0${customerId}\0${purpose}\0${version}`);
}

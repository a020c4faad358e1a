import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';
import { SealBroken } from './seal-broken.ts';

/** Where a sealed value belongs. Moved anywhere else, it does not open. */
export interface Place {
  customerId: number;
  table: string;
  row: string;
  column: string;
}

// algorithm (1), key version (4), nonce (12), ciphertext, tag (16)
const ALGORITHM = 1;
const NONCE_AT = 5;
const BODY_AT = 17;
const TAG_BYTES = 16;

const nonces = Buffer.alloc(12 * 512);
let used = nonces.length;

function takeNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  return nonces.subarray(used, (used += 12));
}

/** Seals a value for one place under one version of a customer's key. */
export function sealValue(key: KeyObject, version: number, place: Place, plain: Uint8Array | string): Buffer {
  const nonce = takeNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(associatedData(version, place));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  cipher.final();
  const sealed = Buffer.allocUnsafe(BODY_AT + body.length + TAG_BYTES);
  sealed[0] = ALGORITHM;
  sealed.writeUInt32BE(version, 1);
  nonce.copy(sealed, NONCE_AT);
  body.copy(sealed, BODY_AT);
  cipher.getAuthTag().copy(sealed, BODY_AT + body.length);
  return sealed;
}

/** The key version that a sealed value names. */
export function versionOf(sealed: Buffer): number {
  if (sealed.length < BODY_AT + TAG_BYTES || sealed[0] !== ALGORITHM) throw new SealBroken();
  return sealed.readUInt32BE(1);
}

/** Opens a sealed value, or throws SealBroken: nothing altered, shortened or moved ever opens. */
export function openValue(key: KeyObject, place: Place, sealed: Buffer): Buffer {
  const version = versionOf(sealed);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(NONCE_AT, BODY_AT));
    decipher.setAAD(associatedData(version, place));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const body = decipher.update(sealed.subarray(BODY_AT, sealed.length - TAG_BYTES));
    return Buffer.concat([body, decipher.final()]);
  } catch {
    throw new SealBroken();
  }
}

function associatedData(version: number, { customerId, table, row, column }: Place): Buffer {
  return Buffer.from(`${ALGORITHM}\0${version}\0${customerId}\0${table}\0${row}\0${column}`);
}

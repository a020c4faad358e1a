import { type KeyObject, sign, verify } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

/** How far one customer's chain had come at a checkpoint. */
export interface Head {
  customer: number;
  seq: number;
  hash: string;
  checkpoint: number;
  at: string;
}

export interface SignedHead extends Head {
  signature: string;
}

/** Signs the head of one chain, so that it can be shown without those of other customers. */
export function signHead({ privateKey }: SigningKey, head: Head): SignedHead {
  return { ...head, signature: sign(null, textOf(head), privateKey).toString('base64') };
}

/** Whether a head is one that the holder of the key has signed. */
export function isSigned(publicKey: KeyObject, { signature, ...head }: SignedHead): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify(null, textOf(head), publicKey, bytes);
}

function textOf({ customer, seq, hash, checkpoint, at }: Head): Buffer {
  return Buffer.from(`carepost audit head\n${JSON.stringify([customer, seq, hash, checkpoint, at])}`);
}

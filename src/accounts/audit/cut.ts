import { sign, verify } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

/** Where a customer's chain begins once what was older is gone: the number and hash of the last row that was removed. */
export interface Cut {
  customer: number;
  seq: number;
  hash: string;
  /** For how long rows were kept. */
  years: number;
  at: string;
}

/** Signs a cut, so that nobody else can shorten a chain from its beginning. */
export function signCut({ privateKey }: SigningKey, cut: Cut): string {
  return sign(null, textOf(cut), privateKey).toString('base64');
}

/** Whether a cut is one that the holder of the key has signed. */
export function cutIsSigned({ publicKey }: SigningKey, cut: Cut, signature: string): boolean {
  return verify(null, textOf(cut), publicKey, Buffer.from(signature, 'base64'));
}

function textOf({ customer, seq, hash, years, at }: Cut): Buffer {
  return Buffer.from(`carepost audit cut\n${JSON.stringify([customer, seq, hash, years, at])}`);
}

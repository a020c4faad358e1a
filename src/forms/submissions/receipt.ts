import { timingSafeEqual } from 'node:crypto';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** What a patient can show to prove that a form was handed in; it says nothing of the answers. */
export interface Receipt {
  submission: string;
  form: string;
  version: number;
  received: string;
}

/** A receipt as it travels in a header: what it says, and a MAC under the installation's key. */
export function signReceipt(keys: CustomerVault, receipt: Receipt): string {
  const text = Buffer.from(JSON.stringify(receipt)).toString('base64url');
  return `${text}.${macOf(keys, text).toString('base64url')}`;
}

/** Reads a receipt back, or null where this installation never gave it out. */
export function readReceipt(keys: CustomerVault, receipt: string): Receipt | null {
  const [text = '', mac = '', ...more] = receipt.trim().split('.');
  const [wanted, given] = [macOf(keys, text), Buffer.from(mac, 'base64url')];
  if (more.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Receipt;
}

function macOf(keys: CustomerVault, text: string): Buffer {
  return keys.blindIndex('submission receipt', text);
}

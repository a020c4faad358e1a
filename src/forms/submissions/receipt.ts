import { sign, verify } from 'node:crypto';
import type { SigningKey } from '../../accounts/index.ts';

/** What a patient can show to prove that a form was handed in; it says nothing of the answers. */
export interface Receipt {
  submission: string;
  form: string;
  version: number;
  received: string;
}

/** A receipt as it travels in a header: what it says, and the installation's signature. */
export function signReceipt(key: SigningKey, receipt: Receipt): string {
  const text = Buffer.from(JSON.stringify(receipt));
  return `${text.toString('base64url')}.${sign(null, text, key.privateKey).toString('base64url')}`;
}

/** Reads a receipt back, or null where this installation never gave it out. */
export function readReceipt(key: SigningKey, text: string): Receipt | null {
  const [said = '', signature = '', ...more] = text.trim().split('.');
  const bytes = Buffer.from(said, 'base64url');
  if (more.length > 0 || !verify(null, bytes, key.publicKey, Buffer.from(signature, 'base64url'))) return null;
  return JSON.parse(bytes.toString()) as Receipt;
}

import { timingSafeEqual } from 'node:crypto';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** A moment that nobody else can make up; what it is for is part of its seal. */
export function stampTime(keys: CustomerVault, use: string, moment: Date): string {
  const text = String(moment.getTime());
  return `${text}.${macOf(keys, use, text).toString('base64url')}`;
}

/** The moment of a stamp; null where it was not given out for this use. */
export function readStampedTime(keys: CustomerVault, use: string, stamp: string): Date | null {
  const [text = '', mac = '', ...more] = stamp.split('.');
  const [wanted, given] = [macOf(keys, use, text), Buffer.from(mac, 'base64url')];
  if (more.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  return new Date(Number(text));
}

function macOf(keys: CustomerVault, use: string, text: string): Buffer {
  return keys.blindIndex('stamped time', JSON.stringify([use, text]));
}

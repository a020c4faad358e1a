import type { Address } from '../submission/address.ts';
import { encodedWords } from './header-lines.ts';

const ATOMS = /^[\w' -]*$/;
const QUOTABLE = /^[ -~]*$/;
const LONGEST_WORD = 200;

/** Addresses as a header holds them (RFC 5322 3.4). */
export function mailboxes(addresses: Address[]): string {
  return addresses.map(({ name, address }) => (name === null ? address : `${phrase(name)} <${address}>`)).join(', ');
}

function phrase(name: string): string {
  const isLong = name.split(' ').some((word) => word.length > LONGEST_WORD);
  if (!QUOTABLE.test(name) || isLong || name.includes('=?')) return encodedWords(name); // RFC 2047 5 (3): none in quotes
  return ATOMS.test(name) && name.trim() === name ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

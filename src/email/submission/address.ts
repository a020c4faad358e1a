import { domainToASCII } from 'node:url';

export interface Address {
  name: string | null;
  address: string;
}

const LONGEST_ADDRESS = 254; // RFC 5321 4.5.3.1.3, less the angle brackets
const LONGEST_LOCAL_PART = 64; // RFC 5321 4.5.3.1.1, in octets
/** More characters on one side of the at become no address; writing marks in their order takes the square of their number. */
const LONGEST_TYPED = 256;
// RFC 6531 3.3 allows more: letters, their marks and digits are what people have in their names.
const DOT_ATOM = /^[a-z0-9\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/iu;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;
const ENCODED_WORD = /=\?/; // RFC 2047: a reader that decodes it sees another address
const ASCII_DOMAIN = /^[a-z0-9.-]+$/i;
// What domainToASCII may see: of URL syntax it would undo %-escapes, drop tabs, and stop at / ? # and \.
const FOREIGN_DOMAIN = /^[a-z0-9.\u0080-\uffff-]+$/i;
const NAMED = /^([^<>]*)<([^<>]*)>$/;
const FORBIDDEN = /[\0\r\n\u0085\u2028\u2029]/;

/**
 * Reads `a@b.c` or `Name <a@b.c>`, or answers null. Deliberately narrower than RFC 5322: quoted local
 * parts, comments, groups, routes and literals are where parsers disagree and mail goes astray.
 */
export function parseAddress(text: string): Address | null {
  if (FORBIDDEN.test(text)) return null;
  const trimmed = text.trim();
  const named = NAMED.exec(trimmed);
  const address = normalise(named === null ? trimmed : (named[2] as string).trim());
  if (address === null) return null;
  const name = named === null ? '' : unquote((named[1] as string).trim());
  return { name: name === '' ? null : name, address };
}

/** The domain of a parsed address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** How equal addresses are recognised: domains ignore case, and in practice so do mailboxes. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** The parts of a text between the commas that stand outside of quotes. */
export function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let [begun, quoted] = [0, false];
  for (const { 0: sign, index } of text.matchAll(/\\.|[",]/gs)) {
    if (sign === '"') quoted = !quoted;
    if (sign !== ',' || quoted) continue;
    parts.push(text.slice(begun, index));
    begun = index + 1;
  }
  return [...parts, text.slice(begun)];
}

/** Each address once, as it is named first. */
export function withoutRepeats<T extends Address>(addresses: T[]): T[] {
  const firsts = new Map<string, T>();
  for (const each of addresses) {
    const key = addressKey(each.address);
    if (!firsts.has(key)) firsts.set(key, each);
  }
  return [...firsts.values()];
}

function normalise(address: string): string | null {
  const at = address.lastIndexOf('@');
  if (at > LONGEST_TYPED || address.length - at > LONGEST_TYPED) return null;
  const local = address.slice(0, at).normalize('NFC'); // RFC 6532 3.1
  const typed = address.slice(at + 1);
  const domain = toAscii(typed);
  const whole = `${local}@${domain}`;
  if (at < 1 || Buffer.byteLength(local) > LONGEST_LOCAL_PART || Buffer.byteLength(whole) > LONGEST_ADDRESS)
    return null;
  return DOT_ATOM.test(local) && !ENCODED_WORD.test(local) && DOMAIN.test(domain) ? whole : null;
}

function toAscii(domain: string): string {
  if (ASCII_DOMAIN.test(domain)) return domain.toLowerCase();
  return FOREIGN_DOMAIN.test(domain) ? domainToASCII(domain) : '';
}

function unquote(name: string): string {
  return /^"(.*)"$/.exec(name)?.[1]?.replace(/\\(.)/g, '$1') ?? name;
}

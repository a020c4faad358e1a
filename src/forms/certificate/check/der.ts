import { requireThat } from './broken.ts';
import { type Bytes, hexOf, joined } from './bytes.ts';

/** One value in DER (X.690): its tag, all of its bytes, and those after tag and length. */
export interface Der {
  tag: number;
  whole: Bytes;
  content: Bytes;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A context tag of a structure: `[0]`, `[1]`. */
export function context(number: number): number {
  return 0xa0 + number;
}

/** The values that stand one after the other. Any encoding but the one of DER is refused. */
export function readAll(bytes: Uint8Array): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = readAt(bytes, at);
    found.push(value);
    at += value.whole.length;
  }
  return found;
}

/** The value that bytes begin with. */
export function readFirst(bytes: Uint8Array): Der {
  return readAt(bytes, 0);
}

/** The one value that bytes hold, which must have this tag. */
export function readOne(bytes: Uint8Array, tag: number): Der {
  const [value, ...more] = readAll(bytes);
  requireThat(value !== undefined && more.length === 0 && value.tag === tag, MALFORMED);
  return value;
}

/** What stands in a value of a structure that has this tag. */
export function inside(value: Der | undefined, tag: number): Der[] {
  requireThat(value?.tag === tag, MALFORMED);
  return readAll(value.content);
}

/** The name of an object identifier: its content in hexadecimal digits. */
export function oidOf(value: Der | undefined): string {
  requireThat(value?.tag === TAG.oid, MALFORMED);
  return hexOf(value.content);
}

/** Writes a value. */
export function der(tag: number, ...parts: Uint8Array[]): Bytes {
  const content = joined(parts);
  return joined([Uint8Array.of(tag, ...lengthBytes(content.length)), content]);
}

const MALFORMED = 'the signature is not encoded as it must be';

function readAt(bytes: Uint8Array, at: number): Der {
  const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
  requireThat(at + 2 <= bytes.length && (tag & 0x1f) !== 0x1f, MALFORMED);
  const more = first < 0x80 ? 0 : first & 0x7f;
  requireThat(first !== 0x80 && more <= 4 && at + 2 + more <= bytes.length, MALFORMED);
  const length = more === 0 ? first : bytes.subarray(at + 2, at + 2 + more).reduce((sum, byte) => sum * 256 + byte, 0);
  const start = at + 2 + more;
  requireThat(start + length <= bytes.length && lengthBytes(length).length === 1 + more, MALFORMED);
  return { tag, whole: bytes.slice(at, start + length), content: bytes.slice(start, start + length) };
}

/** X.690 10.1: the length in the fewest bytes. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

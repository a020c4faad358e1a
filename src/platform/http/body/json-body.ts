import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import { parseExactly } from '../../exact-digits.ts';
import { decodeUndeclared } from './undeclared-text.ts';

const DEEPEST = 64;
/** As commas and opening brackets tell. A value takes some hundred bytes of memory, though its text may be of three. */
const MOST_VALUES = 1_000_000;
const BACKSLASH = /\\\\|\\u005c/i; // as JSON spells one

/**
 * Reads a JSON body. Text without a charset is UTF-8, or ISO-8859-1 where it is not valid UTF-8: an
 * old client sends that undeclared. What PostgreSQL or later code could not hold is refused here.
 */
export function readJson(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) throw new AppError('malformed_json', 'The body is empty');
  const text = decode(bytes, contentType);
  if (text.length > MOST_VALUES) refuseTooManyValues(text);
  if (BACKSLASH.test(text)) refuseBackslashKeys(text);
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw new AppError('malformed_json');
  }
  // Only escapes can bring in what valid UTF-8 cannot hold, so most bodies skip the look at each string.
  const suspicious = text.includes('\\u');
  refuseUnsafe(value, suspicious);
  return value;
}

function refuseTooManyValues(text: string): void {
  const token = /[",[{]/g;
  for (let count = 0; token.test(text); ) {
    const at = token.lastIndex - 1;
    if (text[at] === '"') token.lastIndex = endOfString(text, at);
    else count += 1;
    if (count > MOST_VALUES) throw new AppError('invalid_request', `The body holds more than ${MOST_VALUES} values`);
  }
}

/** A key with a backslash makes JSON.parse misread keys of later bodies (https://github.com/nodejs/node/issues/63785). */
function refuseBackslashKeys(text: string): void {
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfString(text, start);
    const isKey = /\s*(.?)/y;
    isKey.lastIndex = end;
    if (isKey.exec(text)?.[1] === ':' && BACKSLASH.test(text.slice(start, end))) {
      throw new AppError('invalid_request', 'A key must not hold a backslash');
    }
    start = text.indexOf('"', end);
  }
}

/** Where the string that begins with this quote is over. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** How a body is written by its type, undefined where that says nothing; throws where it could not be read. */
export function readCharset(contentType: string | undefined): 'utf-8' | 'latin1' | undefined {
  const charset = /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  if (charset === 'iso-8859-1' || charset === 'latin1') return 'latin1';
  if (charset === undefined) return undefined;
  if (charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return 'utf-8';
  throw new AppError('unsupported_media_type', 'The charset is utf-8 or iso-8859-1');
}

function decode(bytes: Buffer, contentType: string | undefined): string {
  const charset = readCharset(contentType);
  if (charset === 'latin1') return bytes.toString('latin1');
  if (charset !== undefined && !isUtf8(bytes)) throw new AppError('malformed_json', 'The body is not valid UTF-8');
  return decodeUndeclared(bytes);
}

/** Refuses deep nesting, `__proto__` keys, numbers that would be stored as null, U+0000 and lone surrogates; walks without recursion. */
function refuseUnsafe(root: unknown, checkStrings: boolean): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw new AppError('invalid_request', `The body is nested more than ${DEEPEST} levels deep`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (checkStrings) refuseUnstorable(value);
      } else if (typeof value === 'number') {
        if (!Number.isFinite(value)) throw new AppError('invalid_request', 'A number is too large');
      } else if (Array.isArray(value)) {
        for (const item of value) next.push(item);
      } else if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) {
          if (key === '__proto__') throw new AppError('invalid_request', 'The key __proto__ is not allowed');
          if (checkStrings) refuseUnstorable(key);
          next.push((value as Record<string, unknown>)[key]);
        }
      }
    }
    level = next;
  }
}

/** Whether PostgreSQL can store a text. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Refuses text that PostgreSQL cannot store. */
export function refuseUnstorable(text: string): void {
  if (text.includes('\0')) throw new AppError('invalid_request', 'Text must not hold U+0000');
  if (!text.isWellFormed()) throw new AppError('invalid_request', 'Text must not hold lone surrogates');
}

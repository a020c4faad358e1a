import { type AppError, invalidField } from '../../../errors.ts';

const LONGEST_PREFIX = 200;
const SCHEME = 'data:';
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*;base64$/i; // RFC 2397 3
const ALPHABET = /^[A-Za-z0-9+/]*$/;
const NONE = Buffer.alloc(0);

/**
 * Decodes base64 as it arrives: the standard alphabet, padded or not, in lines or not, after the beginning of a data URL
 * or not. Anything else is refused, for Node skips it in silence. The refusal names the field.
 */
export function createBase64Decoder(field = 'content'): Base64Decoder {
  return new Base64Decoder(field);
}

class Base64Decoder {
  /** What the data URL says about the file, if it was one and says so. */
  mediaType: string | null = null;
  readonly #field: string;
  #prefix: string | null = '';
  /** Text that is not decoded yet, less than four characters. */
  #held = '';
  #padding = 0;
  #inLines = false;

  constructor(field: string) {
    this.#field = field;
  }

  write(bytes: Uint8Array): Buffer {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const rest = this.#prefix === null ? text : this.#skipPrefix(this.#prefix + text);
    return this.#decode(this.#held + rest);
  }

  /** The last bytes; refuses text that broke off. */
  end(): Buffer {
    const first = this.#prefix === null ? NONE : this.#decode(this.#prefix);
    this.#prefix = null;
    this.#inLines = true;
    const rest = this.#decode(this.#held);
    const missing = (4 - this.#held.length) % 4;
    if (missing === 3 || !ALPHABET.test(this.#held)) throw this.#refuse();
    if (this.#padding > 0 && this.#padding !== missing) throw this.#refuse();
    return Buffer.concat([first, rest, Buffer.from(this.#held, 'base64')]);
  }

  /** What follows the beginning of a data URL; a colon is in no base64, so there is no doubt. */
  #skipPrefix(text: string): string {
    const begun = text.slice(0, SCHEME.length).toLowerCase();
    if (begun.length < SCHEME.length && SCHEME.startsWith(begun)) {
      this.#prefix = text;
      return '';
    }
    this.#prefix = null;
    if (begun !== SCHEME) return text;
    const comma = text.slice(0, LONGEST_PREFIX).indexOf(',');
    if (comma === -1) {
      if (text.length >= LONGEST_PREFIX) throw this.#refuse();
      this.#prefix = text;
      return '';
    }
    const found = DATA_URL.exec(text.slice(0, comma));
    if (found === null) throw this.#refuse();
    this.mediaType = found[1]?.toLowerCase() ?? null;
    return text.slice(comma + 1);
  }

  #decode(text: string): Buffer {
    // Nearly all text is clean, and is read once by native code.
    const decoded = this.#inLines || this.#padding > 0 ? null : decodeClean(text);
    if (decoded !== null) {
      this.#held = text.slice(text.length - (text.length % 4));
      return decoded;
    }
    const joined = text.replaceAll('\r\n', '').replaceAll('\n', '').replaceAll('\r', '');
    this.#inLines ||= joined.length < text.length;
    const padded = joined.indexOf('=');
    const bare = padded === -1 ? joined : joined.slice(0, padded);
    if (this.#padding > 0 && bare.length > this.#held.length) throw this.#refuse();
    const padding = joined.slice(bare.length);
    if (padding !== '='.repeat(padding.length)) throw this.#refuse();
    this.#padding += padding.length; // whether it is as much as is missing, the end tells
    const again = decodeClean(bare);
    if (again === null) throw this.#refuse();
    this.#held = bare.slice(bare.length - (bare.length % 4));
    return again;
  }

  #refuse(): AppError {
    return invalidField(this.#field, 'is not base64');
  }
}

/** Decodes all whole groups of four, or answers null where a character is not of the alphabet. */
function decodeClean(text: string): Buffer | null {
  const whole = text.length - (text.length % 4);
  const decoded = Buffer.from(whole === text.length ? text : text.slice(0, whole), 'base64');
  // Each character that Node skips makes it shorter; the other alphabet of RFC 4648 it takes as well.
  const clean = decoded.length === (whole / 4) * 3 && !text.includes('-') && !text.includes('_');
  return clean ? decoded : null;
}

import { invalidField } from '../../platform/errors.ts';

const SHORTEST_ENCODED_HTML = 8;
const NEVER_ENCODED = /[^A-Za-z0-9+/=\s\\]/;
const ALPHABET = /^[A-Za-z0-9+/]+={0,2}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** HTML as it was meant: most client libraries send it as base64, the others as it is. */
export function decodeHtml(text: string): string {
  if (NEVER_ENCODED.test(text)) return text; // nearly always at the first character
  const bare = text.replaceAll('\\n', '').replace(/\s+/g, '');
  if (bare.length < SHORTEST_ENCODED_HTML || !ALPHABET.test(bare)) return text;
  const bytes = Buffer.from(bare, 'base64');
  if (unpadded(bytes.toString('base64')) !== unpadded(bare)) return text; // words that no encoder has written
  try {
    const decoded = strictUtf8.decode(bytes);
    return CONTROL.test(decoded) ? text : decoded;
  } catch {
    return text;
  }
}

function unpadded(encoded: string): string {
  return encoded.replace(/=+$/, '');
}

/** The bytes of base64 text with its padding missing or wrong, and with line breaks, as clients send it. */
export function decodeBase64(field: string, text: string): Buffer {
  const bare = text.replaceAll('\\n', '').replace(/[\s=]+/g, '');
  if (!/^[A-Za-z0-9+/_-]*$/.test(bare)) throw invalidField(field, 'is not base64');
  return Buffer.from(bare, 'base64');
}

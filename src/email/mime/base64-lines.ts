import { setImmediate as nextTurn } from 'node:timers/promises';

const BYTES_A_LINE = 57; // 76 characters (RFC 2045 6.8)
const BYTES_AT_ONCE = BYTES_A_LINE * 8_192;
const LINE = /.{76}(?!$)/g;

/** Writes bytes as lines of base64; between pieces of a large file others have their turn. */
export async function toBase64Lines(bytes: Buffer): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    if (at > 0) await nextTurn();
    const text = bytes.toString('base64', at, at + BYTES_AT_ONCE).replace(LINE, '$&\r\n');
    pieces.push(Buffer.from(at + BYTES_AT_ONCE < bytes.length ? `${text}\r\n` : text, 'latin1'));
  }
  return pieces;
}

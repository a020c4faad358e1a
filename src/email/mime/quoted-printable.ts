const SOFT_BREAK = '=\r\n';
const LONGEST_LINE = 76; // RFC 2045 6.7 (5), with the `=` of a soft break
const SIMPLE = /^(?!\.)[\t -<>-~]{1,75}$/;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DOT = 0x2e;
const EQUALS = 0x3d;
const TILDE = 0x7e;
const HEX = Buffer.from('0123456789ABCDEF');
/** At most so many bytes are written at once; one of a text becomes at most six of them. */
const AT_ONCE = 48 * 1024;
const MOST_OF_A_BYTE = SOFT_BREAK.length + '=XX'.length;

/**
 * Writes a piece of text as quoted-printable (RFC 2045 6.7). Every piece begins and ends at the beginning of a line, so
 * that pieces can be written one after the other. No line begins with a dot, which SMTP would double.
 */
export function encodePiece(text: string): string {
  if (SIMPLE.test(text)) return text + SOFT_BREAK;
  return text === '' ? '' : encodeBytes(Buffer.from(text));
}

/** Byte by byte: a text may have millions of lines, of which each would take microseconds with expressions. */
function encodeBytes(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(Math.min(bytes.length * MOST_OF_A_BYTE, AT_ONCE));
  let encoded = '';
  let to = 0;
  let column = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (to + MOST_OF_A_BYTE > out.length) {
      encoded += out.toString('latin1', 0, to);
      to = 0;
    }
    const byte = bytes[at] as number;
    if (byte === CR || byte === LF) {
      if (byte === CR && bytes[at + 1] === LF) at += 1;
      out[to++] = CR;
      out[to++] = LF;
      column = 0;
      continue;
    }
    const isLast = bytes[at + 1] === CR || bytes[at + 1] === LF;
    const isLiteral = stays(byte, isLast);
    if (column + (isLiteral ? 1 : 3) > (isLast ? LONGEST_LINE : LONGEST_LINE - 1)) {
      out[to++] = EQUALS;
      out[to++] = CR;
      out[to++] = LF;
      column = 0;
    }
    if (isLiteral && (byte !== DOT || column > 0)) {
      out[to++] = byte;
      column += 1;
    } else {
      out[to++] = EQUALS;
      out[to++] = HEX[byte >> 4] as number;
      out[to++] = HEX[byte & 15] as number;
      column += 3;
    }
  }
  encoded += out.toString('latin1', 0, to);
  return column > 0 ? encoded + SOFT_BREAK : encoded;
}

/** Whether a byte is written as it is; RFC 2045 6.7 (3): a space or tab cannot be the last of a line. */
function stays(byte: number, isLast: boolean): boolean {
  if (byte === TAB || byte === SPACE) return !isLast;
  return byte > SPACE && byte <= TILDE && byte !== EQUALS;
}

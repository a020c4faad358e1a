import { isUtf8 } from 'node:buffer';
import { invalidField } from '../../../platform/errors.ts';

const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

/** The octets of a body, whichever way they were carried (RFC 2045 6). */
export function decodeBody(body: Buffer, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return decodeBase64(body);
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
      return Buffer.from(body); // a copy, as it may outlive the message it stands in
    default:
      throw invalidField('Content-Transfer-Encoding', 'is not a known one');
  }
}

/** Text in a charset; in one that nobody knows it is read as Windows-1252, as browsers do it. */
export function decodeCharset(bytes: Buffer, charset: string): string {
  const label = charset.trim().toLowerCase();
  const guessed = label === '' || label === 'us-ascii';
  if (label === 'utf-8' || (guessed && isUtf8(bytes))) return bytes.toString('utf8');
  try {
    return new TextDecoder(guessed ? 'windows-1252' : label).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Some clients pad every line, where the decoder would stop. */
function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const padding = text.indexOf('=');
  if (padding === -1 || /^[=\s]*$/.test(text.slice(padding))) return Buffer.from(text, 'base64');
  const decoded = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('=', at);
    const end = found === -1 ? text.length : found;
    if (end > at) length += decoded.write(text.slice(at, end), length, 'base64');
    at = end + 1;
  }
  return decoded.subarray(0, length);
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length);
  let length = 0;
  let solid = 0; // up to here nothing is white space at the end of a line
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === EQUALS) {
      const octet = hexAt(body, at + 1);
      const end = softBreakAt(body, at + 1);
      if (octet !== -1) {
        decoded[length++] = octet;
        at += 2;
      } else if (end !== -1) at = end;
      else decoded[length++] = byte;
      solid = length;
    } else {
      if (byte === CR && body[at + 1] === LF) length = solid; // RFC 2045 6.7 (3)
      decoded[length++] = byte;
      if (byte !== SPACE && byte !== TAB) solid = length;
    }
  }
  return decoded.subarray(0, length);
}

/** Where a soft line break ends, white space before it included; -1 where there is none. */
function softBreakAt(body: Buffer, from: number): number {
  let at = from;
  while (body[at] === SPACE || body[at] === TAB) at += 1;
  if (at >= body.length) return at;
  return body[at] === CR && body[at + 1] === LF ? at + 1 : -1;
}

function hexAt(body: Buffer, at: number): number {
  const [high, low] = [hexDigit(body[at]), hexDigit(body[at + 1])];
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte & ~0x20;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1;
}

import { toBase64Lines } from './base64-lines.ts';
import type { Part, Piece } from './part.ts';
import { encodePiece } from './quoted-printable.ts';

const PLAIN = /^[\t\r\n -~]*$/;
const BARE = /\r(?!\n)|(?<!\r)\n/;
const LONGEST_PLAIN_LINE = 76;
/** Bytes for a character, above which base64 is shorter than quoted-printable. */
const MOSTLY_FOREIGN = 1.5;

/** Writes a text as a part: as it is where nothing on its way could change it, encoded otherwise. */
export async function textPart(type: 'plain' | 'html', text: string): Promise<Part> {
  const { encoding, content } = await encode(text);
  const headers = `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`;
  return { headers, content };
}

async function encode(text: string): Promise<{ encoding: string; content: Piece[] }> {
  if (!hasLongLine(text) && PLAIN.test(text)) {
    return { encoding: '7bit', content: [wholeLines(text)] };
  }
  if (Buffer.byteLength(text) > MOSTLY_FOREIGN * text.length) {
    return { encoding: 'base64', content: await toBase64Lines(Buffer.from(wholeLines(text))) };
  }
  return { encoding: 'quoted-printable', content: [encodePiece(text)] };
}

/** Lines end in CRLF whatever they are encoded as (RFC 2045 6.8). */
function wholeLines(text: string): string {
  return BARE.test(text) ? text.replace(/\r\n|\r|\n/g, '\r\n') : text;
}

function hasLongLine(text: string): boolean {
  for (let at = 0, end = 0; end !== -1; at = end + 1) {
    end = text.indexOf('\n', at);
    if ((end === -1 ? text.length : end) - at > LONGEST_PLAIN_LINE + '\r'.length) return true;
  }
  return false;
}

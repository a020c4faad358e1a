import { randomBytes } from 'node:crypto';
import { headerLine } from './header-lines.ts';

/** What content is made of; a text is ASCII. */
export type Piece = string | Buffer;

/** A part of a message: its header lines, and its content in pieces that are put together once, at the end. */
export interface Part {
  headers: string;
  content: Piece[];
}

/** Puts parts together as one (RFC 2046 5.1). A single part stays what it is. */
export function joinParts(kind: 'mixed' | 'alternative' | 'related', parts: Part[]): Part {
  if (parts.length === 1) return parts[0] as Part;
  // RFC 2045 6.7: `=_` occurs in no quoted-printable text, nor in base64.
  const boundary = `=_${randomBytes(15).toString('base64url')}`;
  const type = kind === 'related' ? 'related; type="text/html"' : kind; // RFC 2387 3.1
  const content = parts.flatMap((part, place) => [
    Buffer.from(`${place === 0 ? '' : '\r\n'}--${boundary}\r\n${part.headers}\r\n`),
    ...part.content,
  ]);
  return {
    headers: headerLine('Content-Type', `multipart/${type}; boundary="${boundary}"`),
    content: [...content, `\r\n--${boundary}--\r\n`],
  };
}

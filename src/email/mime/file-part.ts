import { isAscii } from 'node:buffer';
import type { Attachment } from '../submission/message.ts';
import { toBase64Lines } from './base64-lines.ts';
import { encodedWords, headerLine } from './header-lines.ts';
import type { Part } from './part.ts';

const TOKEN = /^[\w.+!#$&^`{|}~-]+$/; // RFC 2045 5.1
const QUOTABLE = /^[ !#-[\]-~]{1,60}$/;
const CHARACTERS_A_SECTION = 54;
const BARE_END = /\r\n|\r|\n/g;

/** Writes a file as a part, under a name that old readers understand and one that new ones do. */
export async function filePart(file: Attachment): Promise<Part> {
  const isMessage = /^message\//i.test(file.contentType);
  const lines = [
    headerLine('Content-Type', `${file.contentType}; name=${oldName(file.fileName)}`),
    headerLine('Content-Disposition', `${file.inline ? 'inline' : 'attachment'}; ${newName(file.fileName)}`),
    ...(file.contentId === null ? [] : [headerLine('Content-ID', `<${file.contentId}>`)]),
    headerLine('Content-Transfer-Encoding', isMessage ? (isAscii(file.content) ? '7bit' : '8bit') : 'base64'),
  ];
  // RFC 2046 5.2.1: a message within a message is not encoded.
  const content = isMessage ? [withWholeLineEnds(file.content)] : await toBase64Lines(file.content);
  return { headers: lines.join(''), content };
}

/** A bare line end before a dot is where another server may see the end of a message that goes on (RFC 5321 2.3.8). */
function withWholeLineEnds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(BARE_END, '\r\n'), 'latin1');
}

function oldName(name: string): string {
  if (TOKEN.test(name)) return name;
  return QUOTABLE.test(name) ? `"${name}"` : `"${encodedWords(name)}"`;
}

/** RFC 2231 3 and 4: in sections where it is long, and encoded where it is more than ASCII. */
function newName(name: string): string {
  if (TOKEN.test(name) && name.length <= CHARACTERS_A_SECTION) return `filename=${name}`;
  if (QUOTABLE.test(name)) return `filename="${name}"`;
  const encoded = Array.from(Buffer.from(name.toWellFormed()), (byte) => {
    const char = String.fromCharCode(byte);
    return /[\w.-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  const sections = [''];
  for (const char of encoded) {
    if ((sections.at(-1) as string).length >= CHARACTERS_A_SECTION) sections.push('');
    sections[sections.length - 1] += char;
  }
  return sections.map((text, at) => `filename*${at}*=${at === 0 ? "utf-8''" : ''}${text}`).join('; ');
}

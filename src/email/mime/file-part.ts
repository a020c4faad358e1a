import { isAscii } from 'node:buffer';
import type { Attachment } from '../submission/message.ts';
import { toBase64Lines } from './base64-lines.ts';
import { encodedWords, headerLine } from './header-lines.ts';
import type { Part } from './part.ts';

const TOKEN = /^[\w.+!#$&^`{|}~-]+$/; // RFC 2045 5.1
const QUOTABLE = /^[ !#-[\]-~]{1,60}$/;
const CHARACTERS_A_SECTION = 54;
const MESSAGE = /^message\//i;
const BARE_END = /\r\n|\r|\n/g;
// RFC 2045 2.8 and RFC 5322 2.1.1; a line is looked at from its beginning, as otherwise it would be from each character.
const UNFIT_AS_LINES = /\0|(?:^|[\r\n])[^\r\n]{999}/;

/** Writes a file as a part, under a name that old readers understand and one that new ones do. */
export async function filePart(file: Attachment): Promise<Part> {
  const lines = asLines(file);
  const contentType = lines === null && MESSAGE.test(file.contentType) ? 'application/octet-stream' : file.contentType;
  const headers = [
    headerLine('Content-Type', `${contentType}; name=${oldName(file.fileName)}`),
    headerLine('Content-Disposition', `${file.inline ? 'inline' : 'attachment'}; ${newName(file.fileName)}`),
    ...(file.contentId === null ? [] : [headerLine('Content-ID', `<${file.contentId}>`)]),
    headerLine('Content-Transfer-Encoding', lines === null ? 'base64' : isAscii(lines) ? '7bit' : '8bit'),
  ];
  return { headers: headers.join(''), content: lines === null ? await toBase64Lines(file.content) : [lines] };
}

/**
 * A message within a message, which is not encoded (RFC 2046 5.2.1); null for other files, and for one that no server would
 * have to carry. A bare line end before a dot is where another may see the end of a message that goes on (RFC 5321 2.3.8).
 */
function asLines({ contentType, content }: Attachment): Buffer | null {
  if (!MESSAGE.test(contentType)) return null;
  const text = content.toString('latin1');
  return UNFIT_AS_LINES.test(text) ? null : Buffer.from(text.replace(BARE_END, '\r\n'), 'latin1');
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

import { filePart } from '../../mime/file-part.ts';
import { givenHeaderLine, headerLine, textHeaderLine } from '../../mime/header-lines.ts';
import { mailboxes } from '../../mime/mailboxes.ts';
import { joinParts, type Part, type Piece } from '../../mime/part.ts';
import { textPart } from '../../mime/text-part.ts';
import type { Address } from '../../submission/address.ts';
import type { Content } from '../../submission/content-frame.ts';
import type { Attachment } from '../../submission/message.ts';
import { messageIdOf } from '../../submission/message-id.ts';
import type { Envelope } from '../../submission/sealed-message.ts';

const LINE_END = '\r\n';
const LINE_END_BYTES = Buffer.from(LINE_END);
/** RFC 5322 3.4: a group without members. */
const NOBODY_SHOWN = headerLine('To', 'undisclosed-recipients:;');

interface Parts {
  id: string;
  createdAt: Date;
  envelope: Envelope;
  content: Content;
}

/** A message whose every line ends with CRLF: its headers without the empty line behind them, and its body. */
export interface Mime {
  headers: string;
  body: Piece[];
}

/** Writes a message as MIME. Blind copies stay out of it. */
export async function composeMime({ id, createdAt, envelope, content }: Parts): Promise<Mime> {
  const { from, replyTo, subject, headers, recipients, handling } = envelope;
  const subjectLine = handling.literalSubject === true ? textHeaderLine : givenHeaderLine;
  const shown = (content.shown ?? recipients).filter(({ kind }) => kind !== 'bcc');
  const addressees = (kind: 'to' | 'cc') => shown.filter((each) => each.kind === kind);
  const whole = await writeContent(content);
  const lines = [
    ...Object.entries(headers).map(([name, value]) => givenHeaderLine(name, value)),
    peopleLine('From', [from]),
    shown.length === 0 ? NOBODY_SHOWN : peopleLine('To', addressees('to')),
    peopleLine('Cc', addressees('cc')),
    peopleLine('Reply-To', replyTo),
    subject === '' ? '' : subjectLine('Subject', subject),
    headerLine('Message-ID', messageIdOf(id, from.address)),
    headerLine('Date', createdAt.toUTCString().replace('GMT', '+0000')),
    headerLine('MIME-Version', '1.0'),
    whole.headers,
  ];
  return { headers: lines.join(''), body: withLastLineEnd(whole.content) };
}

function peopleLine(name: string, people: Address[]): string {
  return people.length === 0 ? '' : headerLine(name, mailboxes(people));
}

/** Files that the HTML shows stand beside it (RFC 2387), all others behind what is to be read. */
async function writeContent({ text, html, attachments }: Content): Promise<Part> {
  const hasHtml = html !== null && html !== '';
  const isShown = ({ contentId }: Attachment) => hasHtml && contentId !== null;
  const others = await Promise.all(attachments.filter((file) => !isShown(file)).map(filePart));
  const readable: Part[] = [];
  if (text !== null && text !== '') readable.push(await textPart('plain', text));
  if (hasHtml) {
    const shown = await Promise.all(attachments.filter(isShown).map(filePart));
    readable.push(joinParts('related', [await textPart('html', html), ...shown]));
  }
  if (readable.length === 0 && others.length === 0) readable.push(await textPart('plain', ''));
  return joinParts('mixed', [...(readable.length === 0 ? [] : [joinParts('alternative', readable)]), ...others]);
}

function withLastLineEnd(content: Piece[]): Piece[] {
  const last = content.at(-1) ?? '';
  const isEnded = typeof last === 'string' ? last.endsWith(LINE_END) : last.subarray(-2).equals(LINE_END_BYTES);
  return isEnded ? content : [...content, LINE_END];
}

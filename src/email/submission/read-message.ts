import { type Static, Type } from 'typebox';
import { AppError, invalidField } from '../../platform/errors.ts';
import { type Address, parseAddress } from './address.ts';
import { decodeBase64, decodeHtml } from './base64.ts';
import type { Attachment, Message, Recipient, RecipientKind } from './message.ts';

const MOST_RECIPIENTS = 100;
const MOST_ATTACHED_BYTES = 50 * 2 ** 20;

const EmptyList = Type.Array(Type.Unknown(), { maxItems: 0 });
const Text = Type.Union([Type.String(), Type.Null(), EmptyList]);
const Empty = Type.Union([Type.Null(), Type.Literal('')]);
const Entry = Type.Union([Type.String(), Type.Null()]);
const Addresses = Type.Union([Type.Array(Entry), Empty]);
const Flag = Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1), Text]);

/** The template to use, where there is one. */
export const TemplateId = Type.Union([Type.Integer(), Text]);

const AttachmentBody = Type.Object({
  fileName: Type.Optional(Text),
  contentType: Type.Optional(Text),
  content: Type.Optional(Text),
  contentId: Type.Optional(Text),
  disposition: Type.Optional(Text),
});

/** One message as clients send it, with everything that they leave empty in their different ways. */
export const MessageBody = Type.Object({
  recipients: Type.Array(Entry, { description: 'a@b.c or Name <a@b.c>; with cc and bcc at most 100' }),
  cc: Type.Optional(Addresses),
  bcc: Type.Optional(Addresses),
  headers: Type.Record(Type.String(), Text, { description: 'from, subject, reply-to, List-*, X-*' }),
  content: Type.Optional(
    Type.Union([
      Type.Object({ 'text/plain': Type.Optional(Text), 'text/html': Type.Optional(Text) }),
      Empty,
      EmptyList,
    ]),
  ),
  attachments: Type.Optional(Type.Union([Type.Array(AttachmentBody), Empty])),
  allowNonTLS: Type.Optional(Flag),
  allow_non_tls: Type.Optional(Flag),
  forceSecureNotification: Type.Optional(Flag),
  force_secure_notification: Type.Optional(Flag),
  template_id: Type.Optional(TemplateId),
});

type Body = Static<typeof MessageBody>;

/** Reads a message from its wire form, or throws naming the field that is wrong. */
export function readMessage(body: Body): Message {
  const headers = readHeaders(body.headers);
  const recipients = [
    ...readRecipients('to', 'recipients', body.recipients),
    ...readRecipients('cc', 'cc', body.cc),
    ...readRecipients('bcc', 'bcc', body.bcc),
  ];
  if (!recipients.some((recipient) => recipient.kind === 'to'))
    throw invalidField('recipients', 'needs at least one address');
  if (recipients.length > MOST_RECIPIENTS) {
    throw invalidField('recipients', `takes at most ${MOST_RECIPIENTS} addresses with cc and bcc`);
  }
  const content = !body.content || Array.isArray(body.content) ? {} : body.content;
  return {
    ...headers,
    recipients,
    text: textOf(content['text/plain']) || null,
    html: decodeHtml(textOf(content['text/html'])) || null,
    attachments: readAttachments(body.attachments),
  };
}

/** What was sent as text; a client may write nothing as null or as an empty list. */
function textOf(value: Static<typeof Text> | undefined): string {
  return typeof value === 'string' ? value : '';
}

function readRecipients(kind: RecipientKind, field: string, list: Body['cc']): Recipient[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((text, index) => {
    if (text === null || text.trim() === '') return [];
    return [{ kind, ...readAddress(`${field}[${index}]`, text) }];
  });
}

function readAddress(field: string, text: string): Address {
  const address = parseAddress(text);
  if (address === null) throw invalidField(field, 'is not a valid address');
  return address;
}

const KEPT_HEADER = /^(x-.+|list-.+|in-reply-to|references)$/i;
const HEADER_NAME = /^[!-9;-~]+$/; // RFC 5322 3.6.8
const LINE_BREAK = /[\0\r\n]/;

type HeaderParts = Pick<Message, 'from' | 'replyTo' | 'subject' | 'headers'>;

function readHeaders(wire: Body['headers']): HeaderParts {
  let [from, subject, replyTo] = ['', '', ''];
  const headers: Record<string, string> = {};
  for (const [name, sent] of Object.entries(wire)) {
    if (!HEADER_NAME.test(name)) throw invalidField('headers', 'holds an invalid header name');
    const value = textOf(sent);
    if (value === '') continue;
    const known = name.toLowerCase();
    if (LINE_BREAK.test(value)) throw invalidField(fieldOf(known), 'must not hold line breaks or U+0000');
    if (known === 'from') from = value;
    else if (known === 'subject') subject = value;
    else if (known === 'reply-to') replyTo = value;
    else if (KEPT_HEADER.test(name)) headers[name] = value;
  }
  return {
    from: readAddress('headers.from', from),
    replyTo: replyTo.trim() === '' ? null : readAddress('headers.reply-to', replyTo),
    subject,
    headers,
  };
}

function fieldOf(name: string): string {
  return ['from', 'subject', 'reply-to'].includes(name) ? `headers.${name}` : 'headers';
}

function readAttachments(list: Body['attachments']): Attachment[] {
  if (!Array.isArray(list)) return [];
  const attachments = list.map((item, index) => ({
    fileName: readName(`attachments[${index}].fileName`, textOf(item.fileName)) ?? `attachment-${index + 1}`,
    contentType: readContentType(textOf(item.contentType)),
    content: decodeBase64(`attachments[${index}].content`, textOf(item.content)),
    contentId: readName(`attachments[${index}].contentId`, textOf(item.contentId)),
    inline: item.disposition === 'inline',
  }));
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (total > MOST_ATTACHED_BYTES) throw new AppError('payload_too_large', 'Attachments take at most 50 MB in all');
  return attachments;
}

function readName(field: string, name: string): string | null {
  if (name.trim() === '') return null;
  if (LINE_BREAK.test(name) || name.length > 255) throw invalidField(field, 'takes one line of at most 255 characters');
  return name;
}

/** Clients send any text as a type; what is not one, or would hide the bytes as parts, is sent as plain bytes. */
function readContentType(type: string): string {
  return /^(?!multipart\/)[\w.+-]+\/[\w.+-]+$/i.test(type) ? type : 'application/octet-stream';
}

import { decodeWords } from 'postal-mime';
import { type Static, Type } from 'typebox';
import { AppError, invalidField } from '../../platform/errors.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';
import { canBeLines } from '../mime/header-lines.ts';
import { type Address, parseAddress, splitAtCommas, withoutRepeats } from './address.ts';
import { decodeBase64, decodeHtml } from './base64.ts';
import { readContentId, readContentType, readFileName } from './file-name.ts';
import { asksForNotice } from './forced-notice.ts';
import {
  type Attachment,
  DEFAULT_HANDLING,
  type Following,
  type Handling,
  type Message,
  type Recipient,
  type RecipientKind,
} from './message.ts';
import { requireFitting } from './require-fitting.ts';
import {
  HEADER_NAME,
  KEPT_HEADER,
  LINE_BREAK,
  MOST_ATTACHED_BYTES,
  MOST_BODY_BYTES,
  MOST_HEADER_BYTES,
  MOST_NAMED,
  MOST_RECIPIENTS,
  UNFOLDABLE,
} from './rules.ts';

const LONGEST_URL = 2_048;
const LONGEST_ENCODED_NAME = 1_000;
/** HTML as base64, with all the line breaks that clients put between. More is too long however it is meant. */
const LONGEST_ENCODED_HTML = 2 * MOST_BODY_BYTES;
const READ_HEADER = /^(?:from|subject|reply-to)$/i;
const NO_NAME = /[\p{Cc}\u2028\u2029]/u;

/** Room for as many addresses as a message may have, with long names. */
const LONGEST_TOGETHER = 64 * 1024;
const EmptyList = Type.Array(Type.Unknown(), { maxItems: 0 });
const Text = Type.Union([Type.String(), Type.Null(), EmptyList]);
const Empty = Type.Union([Type.Null(), Type.Literal('')]);
const Entry = Type.Union([Type.String(), Type.Null()]);
const Addresses = Type.Union([Type.Array(Entry), Type.String(), Type.Null()], {
  description: 'a list, or one text with commas between its addresses',
});
const Wish = Type.Union([Flag, EmptyList]);
const Followed = (what: string) =>
  Type.Optional(
    Type.Union([Flag, EmptyList], {
      description: `true follows the ${what} of this message and false does not, whatever the customer has set`,
    }),
  );

const Values = Type.Record(Type.String(), Type.Unknown());

/** What clients send beside a message, or within it: how to treat it and which template to render. */
export const HandlingBody = Type.Object({
  template_id: Type.Optional(Type.Union([Type.Integer(), Text], { description: 'the id or the name of a template' })),
  template_variables: Type.Optional(Type.Union([Values, Text])),
  override_open_tracking: Followed('opens'),
  override_link_tracking: Followed('links'),
  unsubscribe_url: Type.Optional(Text),
});

const AttachmentBody = Type.Object({
  fileName: Type.Optional(Text),
  file_name: Type.Optional(Text),
  contentType: Type.Optional(Text),
  content_type: Type.Optional(Text),
  content: Type.Optional(Text),
  contentId: Type.Optional(Text),
  disposition: Type.Optional(Text),
});

/** One message as clients send it, with everything that they leave empty in their different ways. */
export const MessageBody = Type.Object({
  ...HandlingBody.properties,
  recipients: Type.Array(Entry, { description: 'a@b.c or Name <a@b.c>; with cc and bcc at most 100' }),
  cc: Type.Optional(Addresses),
  bcc: Type.Optional(Addresses),
  headers: Type.Record(Type.String(), Type.Unknown(), {
    description: 'from, subject, reply-to, In-Reply-To, References, List-* and X-*, each a text; others are ignored',
  }),
  content: Type.Optional(
    Type.Union([
      Type.Object({ 'text/plain': Type.Optional(Text), 'text/html': Type.Optional(Text) }),
      Empty,
      EmptyList,
    ]),
  ),
  attachments: Type.Optional(Type.Union([Type.Array(AttachmentBody), Empty])),
  allowNonTLS: Type.Optional(Wish),
  allow_non_tls: Type.Optional(Wish),
  forceSecureNotification: Type.Optional(Wish),
  force_secure_notification: Type.Optional(Wish),
});

type Body = Static<typeof MessageBody>;
export type HandlingWish = Static<typeof HandlingBody>;

/** Reads a message from its wire form, or throws naming the field that is wrong. */
export function readMessage(body: Body, beside: HandlingWish = {}): Message {
  const headers = readHeaders(body.headers);
  requireFew(body);
  // Whoever is named twice is one recipient, as by SMTP, and is shown as openly as it was asked for.
  const recipients = withoutRepeats([
    ...readRecipients('to', 'recipients', body.recipients),
    ...readRecipients('cc', 'cc', body.cc),
    ...readRecipients('bcc', 'bcc', body.bcc),
  ]);
  if (!recipients.some((recipient) => recipient.kind === 'to'))
    throw invalidField('recipients', 'needs at least one address');
  if (recipients.length > MOST_RECIPIENTS) throw tooMany();
  const content = !body.content || Array.isArray(body.content) ? {} : body.content;
  return {
    ...headers,
    recipients,
    ...readBodies(content),
    attachments: readAttachments(body.attachments),
    handling: readHandling(body, beside, {
      isShared: recipients.length > 1,
      noticeOnly: asksForNotice(headers.headers),
    }),
  };
}

function readBodies(content: { 'text/plain'?: Static<typeof Text>; 'text/html'?: Static<typeof Text> }) {
  const [text, sent] = [textOf(content['text/plain']), textOf(content['text/html'])];
  if (sent.length > LONGEST_ENCODED_HTML) requireFitting('content.text/html', sent);
  const html = decodeHtml(sent);
  requireFitting('content.text/plain', text);
  requireFitting('content.text/html', html);
  return { text: text || null, html: html || null };
}

/** Before any of them is read, since that takes a while with hundreds of thousands. */
function requireFew({ recipients, cc, bcc }: Body): void {
  const named = [recipients, cc, bcc].flatMap((sent) => sent ?? []);
  if (named.length > MOST_NAMED) throw tooMany();
  const length = named.reduce((sum, text) => sum + (text ?? '').length, 0);
  if (length > MOST_HEADER_BYTES) throw invalidField('recipients', 'take at most 256 KB in all with cc and bcc');
}

function tooMany(): AppError {
  return invalidField('recipients', `takes at most ${MOST_RECIPIENTS} addresses with cc and bcc`);
}

interface Read {
  /** Whether several get it. */
  isShared: boolean;
  /** Whether its headers ask for a notice. */
  noticeOnly: boolean;
}

function readHandling(body: Body, beside: HandlingWish, { isShared, noticeOnly }: Read): Handling {
  const url = readUrl('unsubscribe_url', textOf(beside.unsubscribe_url) || textOf(body.unsubscribe_url));
  // Several recipients get this very address in a header, one gets a link of ours.
  if (isShared && url !== null && !canBeLines('List-Unsubscribe', `<${url}>`)) {
    throw invalidField('unsubscribe_url', UNFOLDABLE);
  }
  return {
    ...DEFAULT_HANDLING,
    trackOpens: readFollowing('override_open_tracking', beside, body),
    trackLinks: readFollowing('override_link_tracking', beside, body),
    unsubscribeUrl: url,
    secureNotice: isOn('forceSecureNotification', body) || isOn('force_secure_notification', body) || noticeOnly,
  };
}

/** Whether a message is followed: as the first of these says that says anything, and else as the customer has set it. */
function readFollowing(
  name: 'override_open_tracking' | 'override_link_tracking',
  beside: HandlingWish,
  body: HandlingWish,
): Following {
  const wish = readWish(name, beside) ?? readWish(name, body);
  if (wish === null) return true;
  return wish ? 'always' : false;
}

type Wishes<Name extends string> = Partial<Record<Name, Static<typeof Wish>>>;

function isOn<Name extends string>(name: Name, wishes: Wishes<Name>): boolean {
  return readWish(name, wishes) === true;
}

function readWish<Name extends string>(name: Name, wishes: Wishes<Name>): boolean | null {
  const flag: Static<typeof Wish> | undefined = wishes[name];
  return Array.isArray(flag) ? null : readStrictFlag(name, flag);
}

function readUrl(field: string, text: string): string | null {
  if (text === '') return null;
  const url = URL.parse(text);
  const known = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!known || url.href.length > LONGEST_URL) throw invalidField(field, 'takes an http or https address');
  return url.href;
}

/** What was sent as text; a client may write nothing as null or as an empty list. */
function textOf(value: Static<typeof Text> | undefined): string {
  return typeof value === 'string' ? value : '';
}

function readRecipients(kind: RecipientKind, field: string, sent: Body['cc']): Recipient[] {
  const isText = typeof sent === 'string';
  const entries = isText ? splitAddresses(field, sent) : (sent ?? []);
  return entries.flatMap((text, index) => {
    if (text === null || text.trim() === '') return [];
    return [{ kind, ...readAddress(isText ? field : `${field}[${index}]`, text) }];
  });
}

function readAddress(field: string, text: string): Address {
  const address = parseAddress(text);
  if (address === null) throw invalidField(field, 'is not a valid address');
  return { ...address, name: address.name === null ? null : decodeName(field, address.name) };
}

/** A name as it is meant, where a client has encoded it for a header (RFC 2047). */
function decodeName(field: string, name: string): string | null {
  if (!name.includes('=?')) return name;
  if (name.length > LONGEST_ENCODED_NAME)
    throw invalidField(field, `takes an encoded name of at most ${LONGEST_ENCODED_NAME} characters`);
  const decoded = decodeWords(name);
  if (NO_NAME.test(decoded)) throw invalidField(field, 'must not hold control characters in its name');
  return decoded.trim() === '' ? null : decoded;
}

function readReplyTo(text: string): Address[] {
  if (text.trim() === '') return [];
  const field = 'headers.reply-to';
  const parts = splitAddresses(field, text);
  if (parts.length > MOST_RECIPIENTS) throw invalidField(field, `takes at most ${MOST_RECIPIENTS} addresses`);
  return withoutRepeats(parts.map((part) => readAddress(field, part)));
}

/** One address, or several with commas between them; a comma before all that looks like an address is one of a name. */
function splitAddresses(field: string, text: string): string[] {
  if (text.length > LONGEST_TOGETHER) throw invalidField(field, `takes at most ${LONGEST_TOGETHER} characters`);
  const parts = splitAtCommas(text);
  return parts.slice(0, -1).some((part) => part.includes('@')) ? parts : [text];
}

type HeaderParts = Pick<Message, 'from' | 'replyTo' | 'subject' | 'headers'>;

function readHeaders(wire: Body['headers']): HeaderParts {
  let [from, subject, replyTo] = ['', '', ''];
  const headers: Record<string, string> = {};
  for (const [name, sent] of Object.entries(wire)) {
    if (!HEADER_NAME.test(name)) throw invalidField('headers', 'holds an invalid header name');
    const known = name.toLowerCase();
    const isKept = KEPT_HEADER.test(name);
    if ((isKept || READ_HEADER.test(name)) && !canBeText(sent)) throw invalidField(fieldOf(known), 'takes a text');
    const value = canBeText(sent) ? textOf(sent) : '';
    if (value === '') continue;
    if (LINE_BREAK.test(value)) throw invalidField(fieldOf(known), 'must not hold line breaks or U+0000');
    if (known === 'from') from = value;
    else if (known === 'subject') subject = value;
    else if (known === 'reply-to') replyTo = value;
    else if (isKept) headers[name] = value;
  }
  const all = [from, subject, replyTo, ...Object.entries(headers).flat()].join('');
  if (Buffer.byteLength(all) > MOST_HEADER_BYTES) throw invalidField('headers', 'take at most 256 KB in all');
  for (const [name, value] of Object.entries({ subject, ...headers })) {
    if (!canBeLines(name, value)) throw invalidField(fieldOf(name), UNFOLDABLE);
  }
  return {
    from: readAddress('headers.from', from),
    replyTo: readReplyTo(replyTo),
    subject,
    headers,
  };
}

function canBeText(sent: unknown): sent is Static<typeof Text> {
  return typeof sent === 'string' || sent === null || (Array.isArray(sent) && sent.length === 0);
}

function fieldOf(name: string): string {
  return READ_HEADER.test(name) ? `headers.${name}` : 'headers';
}

function readAttachments(list: Body['attachments']): Attachment[] {
  if (!Array.isArray(list)) return [];
  const attachments = list.map((item, index) => ({
    fileName: readAttachedName(`attachments[${index}]`, item) ?? `attachment-${index + 1}`,
    contentType: readContentType(textOf(item.contentType) || textOf(item.content_type)),
    content: decodeBase64(`attachments[${index}].content`, textOf(item.content)),
    contentId: readContentId(`attachments[${index}].contentId`, textOf(item.contentId)),
    inline: textOf(item.disposition).trim().toLowerCase() === 'inline',
  }));
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (total > MOST_ATTACHED_BYTES) throw new AppError('payload_too_large', 'Attachments take at most 50 MB in all');
  return attachments;
}

function readAttachedName(at: string, item: Static<typeof AttachmentBody>): string | null {
  const name = textOf(item.fileName);
  return name === '' ? readFileName(`${at}.file_name`, textOf(item.file_name)) : readFileName(`${at}.fileName`, name);
}

import { addressParser, decodeWords } from 'postal-mime';
import { invalidField } from '../../../platform/errors.ts';
import { canBeLines, isStructured } from '../../mime/header-lines.ts';
import { type Address, addressKey, parseAddress, splitAtCommas, withoutRepeats } from '../address.ts';
import { asksForNotice } from '../forced-notice.ts';
import { DEFAULT_HANDLING, type Message, type Recipient } from '../message.ts';
import { ANY_LINE_BREAK, KEPT_HEADER, MOST_RECIPIENTS, MOST_SHOWN, UNFOLDABLE } from '../rules.ts';
import { readTemplateId, readVariables, type TemplateChoice } from '../template-choice.ts';
import type { Header } from './mime-headers.ts';
import type { ParsedMime } from './parse-mime.ts';
import { readFiles } from './read-files.ts';

// On these all readers agree, so that one is enough: an address, or plain words before one in brackets.
const PLAIN_MAILBOX = /^(?:[A-Za-z0-9 .'-]*<[^<>,;:()[\]"\\\s]+>|[^<>,;:()[\]"\\\s]+)$/;
// RFC 5322 3.4: old programs write a name as a comment. Nothing in it may look like an address, or like its end.
const COMMENTED = /^([^\s()<>]+)[ \t]+\(([^()<>@,;:"\\[\]]*)\)$/;
const LONGEST_ADDRESSES = 128 * 1024;
const MOST_GROUPS = 16;
const NOT_ASCII = /[^\0-\x7f]/;
const OWN_HEADER = /^(x-template-id|x-template-variables)$/i;

export interface Submission {
  message: Message;
  template: TemplateChoice | null;
  idempotencyKey: string | null;
}

/** Reads a message that was taken apart, for the recipients of its envelope; throws naming the header that is wrong. */
export function readSubmission(parsed: ParsedMime, recipients: string[]): Submission {
  const { headers, text, html } = parsed;
  const shown = readShown(headers);
  const kept = keptHeaders(headers);
  return {
    message: {
      from: readFrom(headers),
      replyTo: readReplyTo(headers),
      subject: decodedHeader(headers, 'subject') ?? '',
      headers: kept,
      recipients: nameRecipients(shown, recipients),
      shown,
      text,
      html,
      attachments: readFiles(parsed.attachments),
      handling: { ...DEFAULT_HANDLING, secureNotice: asksForNotice(kept) },
    },
    template: readTemplate(headers),
    idempotencyKey: decodedHeader(headers, 'idempotency-key'),
  };
}

/** The value of a header that may stand once (RFC 5322 3.6): of two, each reader would believe another one. */
function onlyHeader(headers: Header[], name: string): string | null {
  const found = headers.filter(({ key }) => key === name);
  if (found.length > 1) throw invalidField(name, 'stands more than once');
  return found[0]?.value ?? null;
}

function decodedHeader(headers: Header[], name: string): string | null {
  const value = onlyHeader(headers, name);
  return value === null ? null : decode(name, value);
}

function decode(name: string, value: string): string {
  return inOneLine(name, value.includes('=?') ? decodeWords(value) : value);
}

function inOneLine(name: string, text: string): string {
  if (ANY_LINE_BREAK.test(text)) throw invalidField(name, 'must not hold line breaks or U+0000');
  return text;
}

function readFrom(headers: Header[]): Address {
  const value = onlyHeader(headers, 'from');
  const from = value === null || isCrowded(value, MOST_RECIPIENTS) ? null : readMailbox('from', value);
  if (from === null) throw invalidField('from', 'needs to be one valid address');
  return from;
}

function readReplyTo(headers: Header[]): Address[] {
  const value = onlyHeader(headers, 'reply-to');
  if (value === null || value === '') return [];
  refuseCrowded('reply-to', value, MOST_RECIPIENTS);
  const parts = splitAtCommas(value);
  if (parts.length > MOST_RECIPIENTS) throw invalidField('reply-to', `takes at most ${MOST_RECIPIENTS} addresses`);
  const addresses = parts.map((part) => {
    const address = readMailbox('reply-to', part.trim());
    if (address === null) throw invalidField('reply-to', 'takes valid addresses with commas between them');
    return address;
  });
  return withoutRepeats(addresses);
}

/**
 * Whether a header names far more than it may: reading it goes by every sign that parts one thing from another, and anew
 * through all of what stands in a group.
 */
function isCrowded(value: string, most: number): boolean {
  const count = (sign: RegExp) => value.match(sign)?.length ?? 0;
  // In each name there may be a comma as well.
  return value.length > LONGEST_ADDRESSES || count(/[,;]/g) > 2 * most || count(/:/g) > MOST_GROUPS;
}

function refuseCrowded(field: string, value: string, most: number): void {
  if (isCrowded(value, most))
    throw invalidField(field, `takes at most ${most} addresses and ${MOST_GROUPS} groups in 128 KB`);
}

/** One address, and only where the strict reader and the one of the list agree on what it is. */
function readMailbox(field: string, value: string): Address | null {
  const strict = parseAddress(value) ?? parseCommented(value);
  if (PLAIN_MAILBOX.test(value)) return strict;
  const [found, ...more] = addressParser(value);
  if (found?.address === undefined || more.length > 0 || strict === null) return null;
  if (parseAddress(found.address)?.address !== strict.address) return null;
  return { name: strict.name === null ? null : decode(field, strict.name), address: strict.address };
}

/** Reads `a@b.c (Name)`, or answers null. */
function parseCommented(value: string): Address | null {
  const [, bare = '', name = ''] = COMMENTED.exec(value) ?? [];
  const address = parseAddress(bare)?.address;
  return address === undefined ? null : { name: name.trim() === '' ? null : name.trim(), address };
}

function readMailboxes(value: string): { name: string; address?: string | undefined }[] {
  const only = PLAIN_MAILBOX.test(value) ? parseAddress(value) : null;
  return only === null ? addressParser(value, { flatten: true }) : [{ name: only.name ?? '', address: only.address }];
}

/**
 * Whom To and Cc name, each once. What is no address here is left out, and so is one beyond ASCII: for the sake of somebody
 * who is only named, a server without SMTPUTF8 would refuse the message.
 */
function readShown(headers: Header[]): Recipient[] {
  const shown = new Map<string, Recipient>();
  for (const kind of ['to', 'cc'] as const) {
    for (const { key, value } of headers) {
      if (key !== kind) continue;
      refuseCrowded(kind, value, MOST_SHOWN);
      for (const { name, address } of readMailboxes(value)) {
        const known = parseAddress(address ?? '')?.address;
        if (known === undefined || NOT_ASCII.test(known) || shown.has(addressKey(known))) continue;
        shown.set(addressKey(known), { kind, name: name === '' ? null : decode(kind, name), address: known });
      }
    }
  }
  if (shown.size > MOST_SHOWN) throw invalidField('to', `takes at most ${MOST_SHOWN} addresses with cc`);
  return [...shown.values()];
}

/** Every recipient of the envelope, named and shown as the headers do it. Whom they do not name gets a blind copy. */
function nameRecipients(shown: Recipient[], recipients: string[]): Recipient[] {
  const byKey = new Map(shown.map((each) => [addressKey(each.address), each]));
  return recipients.map((address) => ({ ...(byKey.get(addressKey(address)) ?? { kind: 'bcc', name: null }), address }));
}

function keptHeaders(headers: Header[]): Record<string, string> {
  const kept: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { key, name, value } of headers) {
    if (!KEPT_HEADER.test(key) || OWN_HEADER.test(key) || value === '' || seen.has(key)) continue;
    seen.add(key);
    const decoded = decode(name, value); // refuses what hides a line break
    kept[name] = isStructured(name) ? inOneLine(name, value) : decoded;
    if (!canBeLines(name, kept[name])) throw invalidField(name, UNFOLDABLE);
  }
  return kept;
}

function readTemplate(headers: Header[]): TemplateChoice | null {
  const id = decodedHeader(headers, 'x-template-id');
  const variables = decodedHeader(headers, 'x-template-variables');
  if (id === null || id === '') return null;
  return { template: readTemplateId(id), variables: readVariables('X-Template-Variables', variables) };
}

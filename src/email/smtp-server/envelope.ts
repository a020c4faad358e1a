import { parseAddress } from '../submission/address.ts';
import { LARGEST_MESSAGE, REPLY } from './replies.ts';

// RFC 5321 4.1.1.2 and 4.1.1.3; the space after the colon is not allowed there, but many clients send it.
const MAIL = /^FROM: ?<([^<>\s]*)>((?: [^ ]+)*) *$/i;
const RCPT = /^TO: ?<([^<>\s]*)>((?: [^ ]+)*) *$/i;
const NOT_ASCII = /[^\0-\x7f]/;
const BODY = /^BODY=(7BIT|8BITMIME)$/i; // RFC 6152
const SIZE = /^SIZE=(\d{1,20})$/i; // RFC 1870
const AUTH = /^AUTH=[!-~]+$/i; // RFC 4954 5: taken and not trusted

/** Checks the argument of MAIL; answers the reply that refuses it, or null. The From header decides who sends. */
export function refuseSender(argument: string): string | null {
  if (NOT_ASCII.test(argument)) return REPLY.asciiOnly;
  const match = MAIL.exec(argument);
  if (match === null) return REPLY.syntax;
  const [, path = '', parameters = ''] = match;
  for (const parameter of parameters.split(' ').slice(1)) {
    const size = SIZE.exec(parameter)?.[1];
    if (size !== undefined && Number(size) > LARGEST_MESSAGE) return REPLY.tooLarge;
    if (size === undefined && !BODY.test(parameter) && !AUTH.test(parameter)) return REPLY.unknownParameter;
  }
  return path === '' || parseAddress(path) !== null ? null : REPLY.badSender;
}

/** Reads the argument of RCPT: an address, or the reply that refuses it. Source routes are no addresses. */
export function readRecipient(argument: string): { address: string } | { refusal: string } {
  if (NOT_ASCII.test(argument)) return { refusal: REPLY.asciiOnly };
  const match = RCPT.exec(argument);
  if (match === null) return { refusal: REPLY.syntax };
  const [, path = '', parameters = ''] = match;
  if (parameters !== '') return { refusal: REPLY.unknownParameter };
  const address = parseAddress(path)?.address;
  return address === undefined ? { refusal: REPLY.badRecipient } : { address };
}

import { isDatabaseAway } from '../../platform/db/failure.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';

/** RFC 5321 4.5.3.1.5: a reply line takes 512 octets, CRLF included. */
const LONGEST_TEXT = 480;

/** The size of a message that is announced and enforced (RFC 1870), dots of transparency not counted. */
export const LARGEST_MESSAGE = 104_857_600;

// Codes: RFC 5321 4.2, RFC 4954 4 and 6 (AUTH), RFC 3207 4 (STARTTLS); enhanced codes: RFC 3463 and 2034.
export const REPLY = {
  ok: '250 2.0.0 OK',
  bye: '221 2.0.0 Bye',
  cannotVerify: '252 2.0.0 Cannot verify; send the message and it will be tried',
  readyForTls: '220 2.0.0 Ready to start TLS',
  startInput: '354 End data with <CR><LF>.<CR><LF>',
  senderOk: '250 2.1.0 OK',
  recipientOk: '250 2.1.5 OK',
  signedIn: '235 2.7.0 Authentication successful',

  tooManyConnections: '421 4.7.0 Too many connections from your network',
  tooManyErrors: '421 4.7.0 Too many errors',
  notHttp: '421 4.7.0 This is not an HTTP server',
  pipelinedTls: '421 4.7.0 Nothing may follow STARTTLS before the handshake',
  tooSlow: '421 4.4.2 Timeout',
  broken: '421 4.3.0 Error here, try again later',
  stopping: '421 4.3.2 Shutting down',

  startTlsFirst: '530 5.7.0 Must issue a STARTTLS command first',
  encryptFirst: '538 5.7.11 Encryption required for requested authentication mechanism',
  signInFirst: '530 5.7.0 Authentication required',
  signInRefused: '535 5.7.8 Authentication credentials invalid',
  signInLocked: '454 4.7.0 Temporary authentication failure',
  signInCancelled: '501 5.0.0 Authentication cancelled',
  notBase64: '501 5.5.2 Not base64',
  noSuchMechanism: '504 5.5.4 Unrecognized authentication mechanism',
  signInTooLong: '500 5.5.6 Authentication exchange line is too long',
  noAgreement: '550 5.7.1 No business associate agreement is in force for this customer',

  unknownCommand: '500 5.5.1 Command not recognized',
  notImplemented: '502 5.5.1 Command not implemented',
  lineTooLong: '500 5.5.2 Line too long',
  bare: '554 5.5.2 Lines end with CRLF; a lone CR or LF and NUL are refused',
  syntax: '501 5.5.4 Syntax error in parameters',
  sequence: '503 5.5.1 Bad sequence of commands',
  unknownParameter: '555 5.5.4 Parameter not recognized',
  noRecipients: '554 5.5.1 No valid recipients',

  badSender: '553 5.1.7 Not a valid sender address',
  badRecipient: '553 5.1.3 Not a valid recipient address',
  asciiOnly: '553 5.6.7 Addresses are ASCII here',
  tooManyRecipients: '452 4.5.3 Too many recipients',
  tooLarge: '552 5.3.4 Message size exceeds the limit of 104857600 octets',
  longInData: '554 5.6.0 Lines take at most 998 octets',
  crowded: '452 4.3.1 Too many messages under way, try again later',
  full: '452 4.3.1 The disk is nearly full, try again later',
  failed: '451 4.3.0 Not accepted because of an error here, try again later',
} as const;

const BY_ERROR: Partial<Record<ErrorCode, string>> = {
  agreement_missing: '550 5.7.1',
  forbidden: '550 5.7.1',
  unprocessable: '550 5.7.1',
  idempotency_conflict: '554 5.5.0',
  conflict: '554 5.5.0',
  payload_too_large: '552 5.3.4',
  headers_too_large: '552 5.3.4',
  rate_limited: '450 4.7.1',
};

/** How an error of the catalogue reads here; null for what nobody foresaw. */
export function replyToError(error: unknown): string | null {
  if (isDatabaseAway(error)) return REPLY.failed;
  if (!(error instanceof AppError) || error.code === 'internal') return null;
  if (error.status >= 500) return REPLY.failed;
  return `${BY_ERROR[error.code] ?? '554 5.6.0'} ${asReplyText(error.message)}`;
}

function asReplyText(text: string): string {
  return text.replace(/[^ -~]+/g, ' ').slice(0, LONGEST_TEXT);
}

import { hash, type KeyObject, sign as signData } from 'node:crypto';
import { promisify } from 'node:util';

/** Whose mail is signed, and with which key (RFC 6376). */
export interface SigningKey {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

export interface Signer {
  /** The DKIM-Signature header of a message, with its line ends. */
  sign(headers: string, body: Buffer): Promise<string>;
}

const SIGNED = [
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
];
const LINES = /.{1,72}/g;
const CR = 13;
const LF = 10;

// With a callback the key is used in the thread pool, so that the event loop goes on.
const signAside = promisify(signData) as (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer>;

/** Builds what signs mail for one domain. */
export function createSigner({ domain, selector, privateKey }: SigningKey): Signer {
  return {
    async sign(headers, body) {
      const fields = signedFields(headers);
      // Naming From once more than it occurs keeps others from adding one (RFC 6376 8.15).
      const names = ['from', ...fields.map(({ name }) => name)].join(':');
      const tags = `v=1; a=rsa-sha256; c=relaxed/simple; d=${domain}; s=${selector};\r\n h=${foldNames(names)};\r\n bh=${bodyHash(body)};\r\n b=`;
      const lines = fields.map(({ name, value }) => `${name}:${relaxed(value)}\r\n`);
      const signed = `${lines.join('')}dkim-signature:${relaxed(tags)}`;
      const signature = (await signAside('sha256', Buffer.from(signed), privateKey)).toString('base64');
      return `DKIM-Signature: ${tags}${foldSignature(signature)}\r\n`;
    },
  };
}

interface Field {
  name: string;
  value: string;
}

/** The fields to sign; of those with one name the last comes first (RFC 6376 5.4.2). */
function signedFields(headers: string): Field[] {
  const fields = headers
    .split(/\r\n(?![ \t])/)
    .filter((line) => line.includes(':'))
    .map((line) => {
      const colon = line.indexOf(':');
      return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1) };
    })
    .toReversed();
  return SIGNED.flatMap((name) => fields.filter((field) => field.name === name));
}

/** RFC 6376 3.4.2: unfolded, runs of space as one, and none at either end. */
function relaxed(value: string): string {
  return value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
}

/** RFC 6376 3.4.3: without the empty lines at the end, but with a line end. */
function bodyHash(body: Buffer): string {
  let end = body.length;
  while (end >= 2 && body[end - 2] === CR && body[end - 1] === LF) end -= 2;
  if (end === body.length) return hash('sha256', Buffer.concat([body, Buffer.from('\r\n')]), 'base64');
  return hash('sha256', body.subarray(0, end + 2), 'base64');
}

/** A line break is allowed on either side of a colon. */
function foldNames(names: string): string {
  return names.replace(/(?=.{61})(.{1,60}:)/g, '$1\r\n ');
}

function foldSignature(signature: string): string {
  return signature.replace(LINES, '$&\r\n ').trimEnd();
}

import { hash, type KeyObject, sign as signData } from 'node:crypto';
import { promisify } from 'node:util';

/** Whose mail is signed, and with which key: RSA (RFC 6376) or Ed25519 (RFC 8463). */
export interface SigningKey {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

export interface Signer {
  /** The DKIM-Signature headers of a message, one for each key, with their line ends. */
  sign(headers: string, body: Buffer): Promise<string>;
}

const SIGNED = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'reply-to',
  'mime-version',
  'content-type',
  'list-id',
  'list-help',
  'list-owner',
  'list-post',
  'list-archive',
  'list-subscribe',
  'list-unsubscribe',
  'list-unsubscribe-post',
];
const LINES = /.{1,72}/g;
const CR = 13;
const LF = 10;

// With a callback the key is used in the thread pool, so that the event loop goes on.
const signAside = promisify(signData) as (algorithm: string | null, data: Buffer, key: KeyObject) => Promise<Buffer>;

/** Builds what signs mail with these keys. */
export function createSigner(...keys: SigningKey[]): Signer {
  return {
    async sign(headers, body) {
      const fields = signedFields(headers);
      // Naming From once more than it occurs keeps others from adding one (RFC 6376 8.15).
      const names = ['from', ...fields.map(({ name }) => name)].join(':');
      const lines = fields.map(({ name, value }) => `${name}:${relaxed(value)}\r\n`).join('');
      const shared = `h=${foldNames(names)};\r\n bh=${bodyHash(body)};\r\n b=`;
      return (await Promise.all(keys.map((key) => signatureOf(key, lines, shared)))).join('');
    },
  };
}

async function signatureOf({ domain, selector, privateKey }: SigningKey, lines: string, shared: string) {
  const isRsa = privateKey.asymmetricKeyType === 'rsa';
  const algorithm = isRsa ? 'rsa-sha256' : 'ed25519-sha256';
  const tags = `v=1; a=${algorithm}; c=relaxed/simple;\r\n d=${domain}; s=${selector};\r\n ${shared}`;
  const signed = Buffer.from(`${lines}dkim-signature:${relaxed(tags)}`);
  // RFC 8463 3: Ed25519 signs the hash of what is signed.
  const signature = isRsa
    ? await signAside('sha256', signed, privateKey)
    : await signAside(null, hash('sha256', signed, 'buffer'), privateKey);
  return `DKIM-Signature: ${tags}${foldSignature(signature.toString('base64'))}\r\n`;
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

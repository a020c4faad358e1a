import { requireThat } from './broken.ts';
import { type Bytes, isSame } from './bytes.ts';
import { context, type Der, inside, oidOf, readOne, TAG } from './der.ts';
import { holdsSignature } from './public-key.ts';

/** What a check needs of an X.509 certificate (RFC 5280 4.1). */
export interface Certificate {
  der: Bytes;
  serial: Bytes;
  issuer: Bytes;
  subject: Bytes;
  /** The common name, else the organisation of the subject. */
  name: string;
  notBefore: Date;
  notAfter: Date;
  publicKey: Bytes;
  /** The purposes that it is restricted to; null where it is to none. */
  purposes: string[] | null;
  signed: Bytes;
  signatureAlgorithm: Bytes;
  signature: Bytes;
}

const COMMON_NAME = '550403';
const ORGANISATION = '55040a';
const EXTENDED_KEY_USAGE = '551d25';

/** Reads a certificate. */
export function readCertificate(bytes: Uint8Array): Certificate {
  const whole = readOne(bytes, TAG.sequence);
  const [signed, algorithm, signature, ...more] = inside(whole, TAG.sequence);
  const fields = inside(signed, TAG.sequence);
  if (fields[0]?.tag === context(0)) fields.shift();
  const [serial, inner, issuer, validity, subject, publicKey, ...rest] = fields;
  requireThat(signed !== undefined && algorithm !== undefined && signature?.tag === TAG.bits && more.length === 0, ODD);
  requireThat(serial !== undefined && inner !== undefined && issuer !== undefined && subject !== undefined, ODD);
  // The second is the one that is signed.
  requireThat(isSame(inner.whole, algorithm.whole) && signature.content[0] === 0 && publicKey !== undefined, ODD);
  const [notBefore, notAfter] = inside(validity, TAG.sequence).map(timeOf);
  requireThat(notBefore !== undefined && notAfter !== undefined, ODD);
  return {
    der: whole.whole,
    serial: serial.whole,
    issuer: issuer.whole,
    subject: subject.whole,
    name: nameOf(subject),
    notBefore,
    notAfter,
    publicKey: publicKey.whole,
    purposes: purposesOf(rest.find(({ tag }) => tag === context(3))),
    signed: signed.whole,
    signatureAlgorithm: algorithm.whole,
    signature: signature.content.slice(1),
  };
}

/** Whether one of these certificates has signed this one; it may be among them. */
export async function isVouchedFor(certificate: Certificate, by: Certificate[]): Promise<boolean> {
  const { signatureAlgorithm: algorithm, signature, signed } = certificate;
  for (const { subject, publicKey } of by) {
    if (!isSame(subject, certificate.issuer)) continue;
    if (await holdsSignature(publicKey, { algorithm, digest: null, signature, signed })) return true;
  }
  return false;
}

/** A time of X.509 or of a time stamp, in UTC. */
export function timeOf(value: Der): Date {
  const text = new TextDecoder().decode(value.content);
  const [, year = '', rest = '', fraction = ''] = (value.tag === TAG.utcTime ? SHORT : LONG).exec(text) ?? [];
  requireThat(value.tag === TAG.utcTime || value.tag === TAG.time, ODD);
  const full = year.length === 2 ? `${Number(year) < 50 ? '20' : '19'}${year}` : year;
  const [month, day, hour, minute, second] = rest.match(/../g) ?? [];
  const time = new Date(`${full}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`);
  requireThat(!Number.isNaN(time.getTime()), ODD);
  return time;
}

const ODD = 'a certificate in the signature cannot be read';
const SHORT = /^(\d{2})(\d{10})Z$/;
const LONG = /^(\d{4})(\d{10})(\.\d{1,9})?Z$/;

function nameOf(subject: Der): string {
  const parts = inside(subject, TAG.sequence)
    .flatMap((set) => inside(set, TAG.set))
    .map((part) => inside(part, TAG.sequence));
  const find = (wanted: string) => parts.find(([type]) => oidOf(type) === wanted)?.[1]?.content;
  const name = find(COMMON_NAME) ?? find(ORGANISATION);
  return name === undefined ? 'a certificate without a name' : new TextDecoder().decode(name);
}

function purposesOf(extensions: Der | undefined): string[] | null {
  if (extensions === undefined) return null;
  const [list] = inside(extensions, context(3));
  for (const extension of inside(list, TAG.sequence)) {
    const [type, ...rest] = inside(extension, TAG.sequence);
    const value = rest.at(-1);
    if (oidOf(type) !== EXTENDED_KEY_USAGE || value?.tag !== TAG.octets) continue;
    return inside(readOne(value.content, TAG.sequence), TAG.sequence).map(oidOf);
  }
  return null;
}

import 'reflect-metadata'; // @peculiar/x509 does not start without it
import { KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 24 * 3600 * 1000;
type Keys = webcrypto.CryptoKeyPair;

export interface Wanted {
  /** DNS names or addresses; the first is the common name as well. */
  names: string[];
  notBefore?: Date;
  notAfter?: Date;
}

export interface Issued {
  /** PEM of the leaf and of what stands between it and the root, as a server shows it. */
  cert: string;
  key: string;
  /** DER, leaf first, root last. */
  chain: Buffer[];
}

export interface Authority {
  caPem: string;
  caDer: Buffer;
  issue(wanted: Wanted): Promise<Issued>;
  /** An authority below this one; `isCa: false` makes it none, and `maySign: false` one whose key is for other uses. */
  subordinate(options?: { isCa?: boolean; maySign?: boolean; notBefore?: Date; notAfter?: Date }): Promise<Authority>;
}

let made = 0;

/** Makes a certificate authority that nobody trusts yet; of several that are called the same, none is another. */
export async function createAuthority(subject = rootName()): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const certificate = await sign({ subject, keys, issuer: null, extensions: caExtensions(true, true) });
  return authorityOf(certificate, keys, []);
}

/** A certificate that its own key has signed, for a server that no authority knows. */
export async function createLonelyCertificate({ names, ...dates }: Wanted): Promise<Issued> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const subject = `CN=${names[0]}`;
  const certificate = await sign({ subject, keys, issuer: null, extensions: [namesExtension(names)], ...dates });
  return { cert: certificate.toString('pem'), key: pemOf(keys), chain: [derOf(certificate)] };
}

function authorityOf(certificate: x509.X509Certificate, keys: Keys, above: x509.X509Certificate[]): Authority {
  const issuer = { name: certificate.subject, keys };
  const upwards = [certificate, ...above];
  return {
    caPem: certificate.toString('pem'),
    caDer: derOf(certificate),
    async issue({ names, ...dates }) {
      const leafKeys = await newKeys();
      const extensions = [new x509.BasicConstraintsExtension(false), namesExtension(names)];
      const leaf = await sign({ subject: `CN=${names[0]}`, keys: leafKeys, issuer, extensions, ...dates });
      const chain = [leaf, ...upwards];
      const shown = chain.slice(0, -1).map((each) => each.toString('pem'));
      return { cert: shown.join('\n'), key: pemOf(leafKeys), chain: chain.map(derOf) };
    },
    async subordinate({ isCa = true, maySign = true, ...dates } = {}) {
      const subKeys = await newKeys();
      const below = await sign({
        subject: rootName(),
        keys: subKeys,
        issuer,
        extensions: caExtensions(isCa, maySign),
        ...dates,
      });
      return authorityOf(below, subKeys, upwards);
    },
  };
}

interface Signing {
  subject: string;
  keys: Keys;
  issuer: { name: string; keys: Keys } | null;
  extensions: x509.Extension[];
  notBefore?: Date;
  notAfter?: Date;
}

function sign({ subject, keys, issuer, extensions, notBefore, notAfter }: Signing): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer?.name ?? subject,
    notBefore: notBefore ?? new Date(Date.now() - DAY),
    notAfter: notAfter ?? new Date(Date.now() + 3650 * DAY),
    publicKey: keys.publicKey as x509.PublicKeyType,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: ALGORITHM,
    extensions,
  });
}

function rootName(): string {
  made += 1;
  return `CN=Test Authority ${made}`;
}

function caExtensions(isCa: boolean, maySign: boolean): x509.Extension[] {
  const usage = maySign ? x509.KeyUsageFlags.keyCertSign : x509.KeyUsageFlags.digitalSignature;
  return [new x509.BasicConstraintsExtension(isCa, undefined, true), new x509.KeyUsagesExtension(usage, true)];
}

function namesExtension(names: string[]): x509.Extension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) > 0 ? 'ip' : 'dns', value })),
  );
}

function newKeys(): Promise<Keys> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function pemOf(keys: Keys): string {
  return KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
}

function derOf(certificate: x509.X509Certificate): Buffer {
  return Buffer.from(certificate.rawData);
}

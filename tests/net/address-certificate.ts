import 'reflect-metadata'; // @peculiar/x509 does not start without it
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { Certificate } from '../../src/platform/net/self-signed.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 3600 * 1000;

/** Makes a certificate for an IP address, signed by itself. */
export async function createForAddress(address: string, now: Date): Promise<Certificate> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=by address',
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: address }]),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { cert: certificate.toString('pem'), key: String(key) };
}

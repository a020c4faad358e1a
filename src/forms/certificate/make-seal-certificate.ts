import { KeyObject, webcrypto } from 'node:crypto';
import type { PublicKeyType } from '@peculiar/x509';
import { loadX509 } from '../../platform/net/load-x509.ts';

/** P-256: what PDF readers, OpenSSL and browsers all verify, at a tenth of the cost of RSA. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Longer than records are kept: what was sealed within that time stays valid. */
const YEARS = 30;

/** Makes the key and the certificate, signed by itself, that an installation seals with. In PEM. */
export async function makeSealCertificate(name: string, now: Date): Promise<{ cert: string; key: string }> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  const { digitalSignature, nonRepudiation } = x509.KeyUsageFlags;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`Carepost at ${name}`] }],
    notBefore: new Date(now.getTime() - 24 * 3600_000),
    notAfter,
    keys: keys as Required<typeof keys>,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | nonRepudiation, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as PublicKeyType),
    ],
  });
  return {
    cert: certificate.toString('pem'),
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

import { KeyObject, webcrypto } from 'node:crypto';
import { loadX509 } from '../net/load-x509.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A new key in PEM, and the request for a certificate over it (PKCS 10 in DER). */
export async function makeSigningRequest(names: readonly string[]): Promise<{ key: string; request: Buffer }> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  });
  return {
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
    request: Buffer.from(request.rawData),
  };
}

import 'reflect-metadata'; // @peculiar/x509 does not start without it
import assert from 'node:assert/strict';
import { KeyObject, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import * as x509 from '@peculiar/x509';
import { sampleRecord, sampleSealKey } from './certificate.examples.ts';
import { checkCertificate } from './check/check-certificate.ts';
import { sealPdf } from './seal.ts';
import { readSealKey, type SealKey } from './seal-key.ts';
import { writeCertificate } from './write-certificate.ts';

const AT = new Date('2026-01-02T03:05:00Z');
const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' };
const P384 = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' };

/** A key of the operator's, with a certificate signed by itself. */
async function operatorKey(algorithm: typeof RSA | typeof P384): Promise<SealKey> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Seal, O=Clinic',
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter: new Date('2060-01-01T00:00:00Z'),
    keys: keys as Required<typeof keys>,
    signingAlgorithm: algorithm,
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return readSealKey(certificate.toString('pem'), key);
}

for (const [name, makeKey] of Object.entries({
  'P-256': sampleSealKey,
  'P-384': () => operatorKey(P384),
  RSA: () => operatorKey(RSA),
})) {
  test(`a seal by a key of ${name} holds, and one flipped byte is found`, async () => {
    const key = await makeKey();
    const sealed = await sealPdf(await writeCertificate(sampleRecord(key)), key, { at: AT, stampTime: null });
    assert.equal((await checkCertificate(sealed, [key.fingerprint])).fingerprint, key.fingerprint);
    sealed[500] = (sealed[500] as number) ^ 4;
    await assert.rejects(checkCertificate(sealed, null), /has been changed/);
  });
}

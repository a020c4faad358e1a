import { webcrypto } from 'node:crypto';

/** The writer of certificates, loaded where one is written only: it takes 24 MB. */
export async function loadX509() {
  await import('reflect-metadata'); // @peculiar/x509 does not start without it
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  return x509;
}

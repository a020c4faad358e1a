import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Certificate, createSelfSigned } from './self-signed.ts';

interface Options {
  /** The operator's own certificate, where there is one. */
  tls: { certFile: string; keyFile: string } | null;
  dataDir: string;
  name: string;
  clock: Clock;
}

/** The certificate of the listeners: the operator's, or one of our own that is made once and kept. */
export async function loadCertificate({ tls, dataDir, name, clock }: Options): Promise<Certificate> {
  if (tls !== null) return readPair(tls.certFile, tls.keyFile);
  const certFile = join(dataDir, 'tls', 'smtp.crt');
  const keyFile = join(dataDir, 'tls', 'smtp.key');
  try {
    return await readPair(certFile, keyFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = await createSelfSigned(name, clock.now());
  await mkdir(dirname(certFile), { recursive: true, mode: 0o700 });
  // The key first: a pair is complete once its certificate is there.
  await rm(certFile, { force: true });
  await writeWhole(keyFile, made.key);
  await writeWhole(certFile, made.cert);
  return made;
}

async function readPair(certFile: string, keyFile: string): Promise<Certificate> {
  return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
}

async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await open(`${path}.new`, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
  await rename(`${path}.new`, path);
}

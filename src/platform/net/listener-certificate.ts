import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { writeNew } from '../durable-files.ts';
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
  const folder = join(dataDir, 'tls');
  return (await readOwn(folder)) ?? (await makeOwn(folder, await createSelfSigned(name, clock.now())));
}

async function readOwn(folder: string): Promise<Certificate | null> {
  try {
    return await readPair(join(folder, 'smtp.crt'), join(folder, 'smtp.key'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The whole pair appears at once, so that of several processes that begin together one makes it and the others find it. */
async function makeOwn(folder: string, made: Certificate): Promise<Certificate> {
  const unfinished = await mkdtemp(`${folder}.`);
  await writeNew(join(unfinished, 'smtp.key'), made.key);
  await writeNew(join(unfinished, 'smtp.crt'), made.cert);
  try {
    await rename(unfinished, folder);
    return made;
  } catch {
    const found = await readOwn(folder);
    await rm(found === null ? folder : unfinished, { recursive: true }); // half of a pair is none
    if (found === null) await rename(unfinished, folder);
    return found ?? made;
  }
}

async function readPair(certFile: string, keyFile: string): Promise<Certificate> {
  return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
}

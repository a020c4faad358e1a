import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';

const DAY_MS = 24 * 3600_000;

/** For how many days the operator's certificate for seals is still valid; null where there is none. */
export async function readSealDays({ seal }: Config, clock: Clock): Promise<number | null> {
  if (seal === null) return null;
  const { validTo } = new X509Certificate(await readFile(seal.certFile));
  return (Date.parse(validTo) - clock.now().getTime()) / DAY_MS;
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const CHAIN = /^\d{8}T\d{9}Z$/;

/** The name of a new chain, which comes after all that there are, also where the clock was put back. */
export async function nextChainName(to: string, now: Date): Promise<string> {
  const { finished, unfinished } = await listChains(to);
  const newest = [...finished, ...unfinished].toSorted().at(-1);
  const began = newest === undefined ? 0 : chainBegan(newest).getTime();
  return new Date(Math.max(now.getTime(), began + 1)).toISOString().replaceAll(/[-:.]/g, '');
}

/** When a chain began. */
export function chainBegan(chain: string): Date {
  const [, year, month, day, hour, minute, second, rest] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(chain) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`);
}

export function chainFolder(to: string, chain: string): string {
  return join(to, 'chains', chain);
}

export function blobFolder(to: string): string {
  return join(to, 'blobs');
}

/**
 * The chains in a folder of backups, each a full backup with what was added since, the oldest first. `finished` are those
 * that have any manifest: one that lost its first is damaged, not cut off.
 */
export async function listChains(to: string): Promise<{ finished: string[]; unfinished: string[] }> {
  const names = await readdir(join(to, 'chains')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const chains = names.filter((name) => CHAIN.test(name)).toSorted();
  const finished: string[] = [];
  for (const chain of chains) {
    const files = await readdir(chainFolder(to, chain));
    if (files.some((name) => name.endsWith('.manifest'))) finished.push(chain);
  }
  return { finished, unfinished: chains.filter((chain) => !finished.includes(chain)) };
}

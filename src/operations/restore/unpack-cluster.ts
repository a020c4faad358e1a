import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readLsn, readSealed, segmentName } from '../backup/index.ts';
import { createByteReader } from './byte-reader.ts';
import type { Chosen } from './choose.ts';
import { unpackTar } from './untar.ts';

/** Without it PostgreSQL does not start. */
const CONTROL_FILE = join('global', 'pg_control');

/**
 * Writes a data directory of PostgreSQL: the base backup, and the whole log since. It cannot be started until it is
 * completed, wherever a restore is cut off. Leaves nothing where it fails.
 */
export async function unpackCluster(chosen: Chosen, cluster: string, signal?: AbortSignal): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  try {
    await unpackTar(until(signal, baseOf(chosen)), cluster);
    await rename(join(cluster, CONTROL_FILE), heldBack(cluster)); // without any log it would not start either
    await writeSegments(chosen, join(cluster, 'pg_wal'), signal);
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    throw error;
  }
}

/** Lets a data directory that was unpacked be started. */
export async function completeCluster(cluster: string): Promise<void> {
  await rename(heldBack(cluster), join(cluster, CONTROL_FILE));
}

function heldBack(cluster: string): string {
  return join(cluster, `${CONTROL_FILE}.restoring`);
}

async function* until(signal: AbortSignal | undefined, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    signal?.throwIfAborted();
    yield piece;
  }
}

async function* baseOf({ place, manifests }: Chosen): AsyncGenerator<Buffer> {
  for (const file of manifests[0]?.files ?? []) if (file.name.includes('.base.')) yield* readSealed(place, file);
}

async function* logOf({ place, manifests }: Chosen): AsyncGenerator<Buffer> {
  let at: string | undefined;
  for (const { wal, files, chain, number } of manifests) {
    if (at !== undefined && wal.from !== at)
      throw new Error(`backup ${chain}/${number} does not go on where the last ended`);
    at = wal.to;
    for (const file of files) if (file.name.endsWith('.wal')) yield* readSealed(place, file);
  }
}

/** Cuts the log into the files that PostgreSQL expects; zeros after the last record are the end of it. */
async function writeSegments(chosen: Chosen, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const { server, wal } = chosen.manifests[0] as Chosen['newest'];
  const bytes = server.segment_bytes;
  const log = createByteReader(until(signal, logOf(chosen)));
  for (let start = readLsn(wal.from); !(await log.isAtEnd()); start += BigInt(bytes)) {
    await using file = await open(join(folder, segmentName(wal.timeline, start, bytes)), 'w', 0o600);
    await file.writeFile(log.passUpTo(bytes));
    await file.truncate(bytes);
  }
}

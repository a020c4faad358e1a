import { loadSigningKey, type SigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { openReplication, type ReplicationConnection } from '../../platform/db/replication.ts';
import { version } from '../../version.ts';
import { takeBase } from './base.ts';
import { BLOB_LIST, type BlobEntries, createBlobCopy, readBlobLists, writeBlobList } from './blobs.ts';
import { createChainKey } from './chain-key.ts';
import { chainFolder, nextChainName } from './chains.ts';
import { makeFolder } from './durable.ts';
import { readFacts } from './facts.ts';
import { identify, readFlushed } from './identify.ts';
import type { LastBackup } from './last.ts';
import { type Lsn, readLsn, segmentStart, writeLsn } from './lsn.ts';
import { numbered, type SignedManifest, writeManifest } from './manifest.ts';
import { markRun } from './runs.ts';
import { type ChainFolder, type FileEntry, writeSealed } from './sealed-file.ts';
import { readWal } from './wal.ts';

/** Where a backup goes and by which address the database lets itself be copied. */
export interface Destination {
  to: string;
  keysTo: string;
  replicationUrl: string;
}

export interface Run {
  id: string;
  startedAt: Date;
  /** Throws where another backup may be running by now. */
  requireAlone(): Promise<void>;
}

/** A copy of the whole database and all blobs, which begins a chain. */
export async function takeFull(
  installation: Installation,
  { to, keysTo, replicationUrl }: Destination,
  run: Run,
  last: LastBackup | null,
): Promise<SignedManifest> {
  const { masterKeys } = installation;
  const signingKey = await loadSigningKey(installation);
  const chain = await nextChainName(to, run.startedAt);
  const { key } = await createChainKey({ keysTo, masterKeys }, chain, signingKey.publicKey);
  const place = { chain, folder: chainFolder(to, chain), key };
  await makeFolder(place.folder);
  const known: BlobEntries = last === null ? new Map() : await readBlobLists(last.place, last.manifests);
  const blobs = createBlobCopy(installation.blobStore, to, { known });
  // The slot lasts as long as its connection, and keeps the log of the copy from being removed meanwhile.
  const log = await openReplication(replicationUrl);
  const files = await openReplication(replicationUrl).catch((error: unknown) => close(log, error));
  try {
    const slot = `carepost_backup_${process.pid}`;
    await log.rows(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    const { systemId, timeline } = await identify(log);
    await blobs.copy();
    const base = await takeBase(files, place, numbered(1));
    const facts = await readFacts(installation);
    const from = segmentStart(base.start, facts.server.segment_bytes);
    const restorableFrom = await markRun(installation.db, run.id);
    const mark = await markRun(installation.db, run.id);
    const flushed = await readFlushed(installation.ownerUrl);
    const wal = await takeWal(log, place, { number: 1, slot, timeline, from, to: flushed });
    await blobs.copy();
    await run.requireAlone();
    return await finish(signingKey, place, blobs.copied, {
      number: 1,
      kind: 'full',
      previous: last?.manifests.at(-1)?.sha256 ?? null,
      run: run.id,
      started_at: run.startedAt.toISOString(),
      restorable_from: restorableFrom.toISOString(),
      restorable_until: mark.toISOString(),
      migration: facts.migration,
      server: { ...facts.server, system_id: systemId },
      wal: wal.range,
      files: [...base.files, wal.file],
      key_store: installation.keyStore.kind,
      tables: facts.tables,
      audit_heads: facts.audit_heads,
    });
  } finally {
    await log.close();
    await files.close();
  }
}

/** What came since the last backup, which prolongs its chain. */
export async function takeIncremental(
  installation: Installation,
  { to, replicationUrl }: Destination,
  run: Run,
  { place, manifests, newest }: LastBackup,
): Promise<SignedManifest> {
  const signingKey = await loadSigningKey(installation);
  const number = newest.number + 1;
  const known = await readBlobLists(place, manifests);
  const blobs = createBlobCopy(installation.blobStore, to, { done: known });
  const log = await openReplication(replicationUrl);
  try {
    await blobs.copy();
    const facts = await readFacts(installation);
    const mark = await markRun(installation.db, run.id);
    const { timeline, to: end } = newest.wal;
    const flushed = await readFlushed(installation.ownerUrl);
    const wal = await takeWal(log, place, { number, timeline, from: readLsn(end), to: flushed });
    await blobs.copy();
    await run.requireAlone();
    return await finish(signingKey, place, blobs.copied, {
      number,
      kind: 'incremental',
      previous: newest.sha256,
      run: run.id,
      started_at: run.startedAt.toISOString(),
      restorable_from: newest.restorable_from,
      restorable_until: mark.toISOString(),
      migration: facts.migration,
      server: { ...facts.server, system_id: newest.server.system_id },
      wal: wal.range,
      files: [wal.file],
      key_store: installation.keyStore.kind,
      tables: facts.tables,
      audit_heads: facts.audit_heads,
    });
  } finally {
    await log.close();
  }
}

async function close(connection: ReplicationConnection, error: unknown): Promise<never> {
  await connection.close();
  throw error;
}

interface LogRange {
  number: number;
  slot?: string;
  timeline: number;
  from: Lsn;
  /** At least up to here. */
  to: Lsn;
}

async function takeWal(log: ReplicationConnection, place: ChainFolder, { number, ...range }: LogRange) {
  let reached = range.from;
  const bytes = readWal(log, range, (end) => (reached = end));
  const file = await writeSealed(place, `${numbered(number)}.wal`, bytes);
  return {
    file,
    range: { timeline: range.timeline, from: writeLsn(range.from), to: writeLsn(reached) },
  };
}

type Contents = Omit<SignedManifest, 'format' | 'chain' | 'carepost' | 'blobs' | 'signed_by' | 'sha256'>;

async function finish(
  signingKey: SigningKey,
  place: ChainFolder,
  blobs: BlobEntries,
  contents: Contents,
): Promise<SignedManifest> {
  const files: FileEntry[] = [...contents.files];
  if (blobs.size > 0) files.push(await writeBlobList(place, `${numbered(contents.number)}${BLOB_LIST}`, blobs));
  const bytes = [...blobs.values()].reduce((sum, { size }) => sum + size, 0);
  return writeManifest(place.folder, signingKey, {
    format: 1,
    chain: place.chain,
    carepost: version,
    ...contents,
    files,
    blobs: { files: blobs.size, bytes },
  });
}

import { randomBytes } from 'node:crypto';
import { loadSigningKey, type SigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { openReplication } from '../../platform/db/replication.ts';
import { makeFolder } from '../../platform/durable-files.ts';
import { version } from '../../version.ts';
import { takeBase } from './base.ts';
import { BLOB_LIST, type BlobEntries, createBlobCopy, readBlobLists, writeBlobList } from './blobs.ts';
import { createChainKey } from './chain-key.ts';
import { chainFolder, nextChainName } from './chains.ts';
import { DamagedBackup } from './damaged.ts';
import { type Facts, readFacts } from './facts.ts';
import { identify, readFlushed } from './identify.ts';
import type { LastBackup } from './last.ts';
import { readLsn, segmentStart } from './lsn.ts';
import { numbered, type SignedManifest, writeManifest } from './manifest.ts';
import { markRun, type Run } from './runs.ts';
import type { ChainFolder, FileEntry } from './sealed-file.ts';
import { takeWal } from './wal.ts';

/** Where a backup goes and by which address the database lets itself be copied. */
export interface Destination {
  to: string;
  keysTo: string;
  replicationUrl: string;
}

/** A copy of the whole database and all blobs, which begins a chain. */
export async function takeFull(
  installation: Installation,
  destination: Destination,
  run: Run,
  last: LastBackup | null,
): Promise<SignedManifest> {
  const { db, ownerUrl, blobStore } = installation;
  const { to, replicationUrl } = destination;
  const signingKey = await loadSigningKey(installation);
  const place = await beginChain(installation, destination, run, signingKey);
  const known = last === null ? new Map() : await knownBlobs(last);
  const blobs = createBlobCopy(blobStore, to, { known });
  await using log = await openReplication(replicationUrl);
  await using files = await openReplication(replicationUrl);
  // The slot lasts as long as its connection, and keeps the log of the copy from being removed meanwhile.
  const slot = `carepost_backup_${randomBytes(8).toString('hex')}`;
  await log.rows(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
  const { systemId, timeline } = await identify(log);
  await blobs.copy();
  const base = await takeBase(files, place, numbered(1));
  const facts = await readFacts(installation);
  const from = segmentStart(base.start, facts.server.segment_bytes);
  const restorableFrom = await markRun(db, run.id);
  const mark = await markRun(db, run.id);
  const flushed = await readFlushed(ownerUrl);
  const wal = await takeWal(log, place, { number: 1, slot, timeline, from, to: flushed });
  await blobs.copy();
  await run.requireAlone();
  return await finish(signingKey, place, blobs.copied, {
    ...contentsOf(installation, run, { facts, systemId, mark }),
    number: 1,
    kind: 'full',
    previous: last?.newest.sha256 ?? null,
    restorable_from: restorableFrom.toISOString(),
    wal: wal.range,
    files: [...base.files, wal.file],
  });
}

/** What came since the last backup, which prolongs its chain. */
export async function takeIncremental(
  installation: Installation,
  { to, replicationUrl }: Destination,
  run: Run,
  { place, manifests, newest }: LastBackup,
): Promise<SignedManifest> {
  const { db, ownerUrl, blobStore } = installation;
  const signingKey = await loadSigningKey(installation);
  const number = newest.number + 1;
  const blobs = createBlobCopy(blobStore, to, { done: await readBlobLists(place, manifests) });
  await using log = await openReplication(replicationUrl);
  await blobs.copy();
  const facts = await readFacts(installation);
  const mark = await markRun(db, run.id);
  const { timeline, to: end } = newest.wal;
  const flushed = await readFlushed(ownerUrl);
  const wal = await takeWal(log, place, { number, timeline, from: readLsn(end), to: flushed });
  await blobs.copy();
  await run.requireAlone();
  return await finish(signingKey, place, blobs.copied, {
    ...contentsOf(installation, run, { facts, systemId: newest.server.system_id, mark }),
    number,
    kind: 'incremental',
    previous: newest.sha256,
    restorable_from: newest.restorable_from,
    wal: wal.range,
    files: [wal.file],
  });
}

/** The files that the chain before has; where its lists are damaged, every file is copied and compared anew. */
async function knownBlobs({ place, manifests }: LastBackup): Promise<BlobEntries> {
  try {
    return await readBlobLists(place, manifests);
  } catch (error) {
    if (error instanceof DamagedBackup) return new Map();
    throw error;
  }
}

async function beginChain(
  { masterKeys }: Installation,
  { to, keysTo }: Destination,
  run: Run,
  { publicKey }: SigningKey,
): Promise<ChainFolder> {
  const chain = await nextChainName(to, run.startedAt);
  const { key } = await createChainKey({ keysTo, masterKeys }, chain, publicKey);
  const folder = chainFolder(to, chain);
  await makeFolder(folder);
  return { chain, folder, key };
}

/** What a manifest tells of its run and of the database, of whatever kind it is. */
function contentsOf(
  { keyStore }: Installation,
  run: Run,
  { facts, systemId, mark }: { facts: Facts; systemId: string; mark: Date },
) {
  return {
    run: run.id,
    started_at: run.startedAt.toISOString(),
    restorable_until: mark.toISOString(),
    migration: facts.migration,
    server: { ...facts.server, system_id: systemId },
    key_store: keyStore.kind,
    tables: facts.tables,
    audit_heads: facts.audit_heads,
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

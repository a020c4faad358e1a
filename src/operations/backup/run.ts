import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { openReplication } from '../../platform/db/replication.ts';
import { fingerprint, rewrapChainKey } from './chain-key.ts';
import { chainBegan, listChains } from './chains.ts';
import { mirrorCustomerKeys } from './customer-keys.ts';
import { makeFolder } from './durable.ts';
import { identify, readFlushed, readSystemId } from './identify.ts';
import { clearUnfinished, findLastBackup, type LastBackup } from './last.ts';
import { readLsn } from './lsn.ts';
import type { SignedManifest } from './manifest.ts';
import { pruneChains } from './prune.ts';
import { explainRefusal, isLogGone } from './refused.ts';
import { beginRun, finishRun, hasMark, newestBackupAt } from './runs.ts';
import { type Destination, type Run, takeFull, takeIncremental } from './take.ts';

const DAY_MS = 24 * 3600_000;
/** A full backup is taken so often that most of what is kept can be restored to any moment. */
const FULLS_KEPT = 5;

export interface BackupReport {
  manifest: SignedManifest;
  bytes: number;
  pruned: string[];
  /** Why it is a full backup. */
  reason: string | null;
}

/** Backs the installation up; one at a time. A backup that fails leaves those before it as they were. */
export async function runBackup(
  installation: Installation,
  destination: Destination,
  { full }: { full: boolean },
): Promise<BackupReport> {
  return alone(installation, async (requireAlone) => {
    const { db, clock, config, masterKeys } = installation;
    const { to, keysTo } = destination;
    const server = await identifyCopied(installation, destination.replicationUrl).catch(refuse);
    if (!full) await requireBackups(installation, to);
    const found = await findLastBackup(to, keysTo, masterKeys);
    const { last } = found;
    const reason = last === null ? found.because : await whyFull(installation, server, last, full);
    await makeFolder(to);
    await makeFolder(keysTo);
    const id = await beginRun({ db, clock }, reason === null ? 'incremental' : 'full');
    const run = { id, startedAt: clock.now(), requireAlone };
    const expired = new Date(clock.now().getTime() - config.retention.backupDays * DAY_MS);
    const prune = () => pruneChains({ to, keysTo, masterKeys }, expired);
    try {
      const before = await prune(); // a full disk has room again
      const taken = await take(installation, destination, run, { last, reason });
      if (config.keyStoreFolder !== null) await mirrorCustomerKeys(db, config.keyStoreFolder, keysTo);
      await requireAlone();
      const pruned = [...before, ...(await prune())];
      const { manifest } = taken;
      for (const chain of (await listChains(to)).finished) await rewrapChainKey(keysTo, masterKeys, chain);
      const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0) + manifest.blobs.bytes;
      await finishRun({ db, clock }, run.id, { kind: manifest.kind, ok: true, bytes, lsn: manifest.wal.to });
      return { ...taken, bytes, pruned };
    } catch (error) {
      // Where the database is gone, that is what went wrong.
      await finishRun({ db, clock }, run.id, { ok: false }).catch(() => undefined);
      return refuse(error);
    }
  });
}

function refuse(error: unknown): never {
  throw explainRefusal(error);
}

/**
 * A lock of the database: it is let go when its holder dies, and holds on every node. Where its connection is lost, so is
 * the lock, which the work has to ask before it ends or removes anything.
 */
async function alone<T>(
  { ownerUrl }: Installation,
  work: (requireAlone: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query(`select pg_try_advisory_lock(hashtext('carepost backup')) as mine`);
    if (!rows[0].mine) throw new Error('another backup is running');
    return work(async () => void (await client.query('select 1')));
  });
}

async function take(
  installation: Installation,
  destination: Destination,
  run: Run,
  { last, reason }: { last: LastBackup | null; reason: string | null },
): Promise<{ manifest: SignedManifest; reason: string | null }> {
  if (last === null || reason !== null) {
    return { manifest: await takeFull(installation, destination, run, last), reason };
  }
  await clearUnfinished(last);
  try {
    return { manifest: await takeIncremental(installation, destination, run, last), reason: null };
  } catch (error) {
    if (!isLogGone(error)) throw error;
    const manifest = await takeFull(installation, destination, run, last);
    return { manifest, reason: 'the database no longer has the log since the last backup' };
  }
}

/** The server that is copied, which has to be the one that the installation works on, or follow it. */
async function identifyCopied({ ownerUrl, log }: Installation, replicationUrl: string) {
  const connection = await openReplication(replicationUrl);
  try {
    const server = await identify(connection);
    const own = await readSystemId(ownerUrl);
    if (own === null)
      log.warn('the database does not tell which server it is: --replication-url is not compared with it');
    else if (own !== server.systemId) throw new Error('--replication-url is of another server than the database');
    return server;
  } finally {
    await connection.close();
  }
}

/** An empty folder where there were backups is more likely a disk that is not mounted than a wish. */
async function requireBackups({ db }: Installation, to: string): Promise<void> {
  if ((await listChains(to)).finished.length > 0 || (await newestBackupAt(db)) === null) return;
  throw new Error('--to holds no backup though there were some: is it mounted? To begin anew there, add --full');
}

/** Why the chain cannot or should not be gone on with; null where an incremental backup will do. */
async function whyFull(
  installation: Installation,
  server: { systemId: string; timeline: number },
  last: LastBackup,
  asked: boolean,
): Promise<string | null> {
  const { db, clock, config, ownerUrl } = installation;
  const { newest, place } = last;
  if (server.systemId !== newest.server.system_id) {
    const { publicKey } = await loadSigningKey(installation);
    if (fingerprint(publicKey) !== last.signer) throw new Error('--to holds backups of another database');
    return 'the database was moved';
  }
  if (asked) return 'it was asked for';
  const everyMs = (config.retention.backupDays * DAY_MS) / FULLS_KEPT;
  if (clock.now().getTime() - chainBegan(place.chain).getTime() >= everyMs) return 'the last one is old enough';
  if (server.timeline !== newest.wal.timeline) return 'the database has begun a new timeline';
  const flushed = await readFlushed(ownerUrl);
  if (flushed < readLsn(newest.wal.to) || !(await hasMark(db, newest.run))) return 'the database was put back';
  if (!(await isWhole(last))) return 'a file of the last one is missing';
  return null;
}

/** Whether every file of the chain is there in its size: prolonging a broken chain would save nothing. */
async function isWhole({ place, manifests }: LastBackup): Promise<boolean> {
  for (const { name, size } of manifests.flatMap(({ files }) => files)) {
    const path = join(place.folder, name);
    if (!existsSync(path) || (await stat(path)).size !== size) return false;
  }
  return true;
}

import { existsSync } from 'node:fs';
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { openInstallation } from '../../installation.ts';
import { openBlobStore } from '../../platform/blob/open-blob-store.ts';
import { locateBinaries } from '../../platform/db/embedded-binaries.ts';
import { adoptCluster } from '../../platform/db/embedded-connection.ts';
import { recoverCluster, recoverySettings } from '../../platform/db/recover-cluster.ts';
import { openMasterKeys } from '../../platform/vault/master-key.ts';
import { hasMark, putBackCustomerKeys, recordRun, type SignedManifest } from '../backup/index.ts';
import { type Chosen, chooseBackup, type Source } from './choose.ts';
import { refuseStoreInUse } from './refuse-store-in-use.ts';
import { majorOf, requireMajor } from './require-major.ts';
import { restoreBlobs } from './restore-blobs.ts';
import { leaveMark } from './restored-mark.ts';
import { completeCluster, unpackCluster } from './unpack-cluster.ts';

export interface RestoreReport {
  manifest: SignedManifest;
  files: number;
  /** Files of the store that could not be restored. */
  faults: string[];
  customerKeys: number;
  major: number;
}

/** What is wanted of a restore. */
interface Wish {
  /** A moment of the past; null for the last one. */
  at: Date | null;
  /** Whether the store is that of the old server, so that what the backup does not list may go. */
  sameStore: boolean;
}

/** Where a backup lies, with the master key of this installation. */
export function openSource(config: Config, folders: { from: string; keys: string }): Source {
  if (!existsSync(config.masterKeyFile)) {
    throw new Error(`CAREPOST_MASTER_KEY_FILE is missing (${config.masterKeyFile}): no backup holds the master key`);
  }
  return { ...folders, masterKeys: openMasterKeys(config.masterKeyFile) };
}

/** Restores a backup of an embedded database into an empty data dir; leaves it empty where that fails. */
export async function restoreEmbedded(config: Config, source: Source, { at, sameStore }: Wish): Promise<RestoreReport> {
  const startedAt = new Date();
  await requireEmpty(config.dataDir, 'CAREPOST_DATA_DIR');
  const chosen = await chooseBackup(source, at);
  if (!chosen.newest.server.embedded) throw new Error('the backup is of a PostgreSQL of your own: add --pgdata DIR');
  if (config.databaseUrl !== null)
    throw new Error('the backup is of an embedded database: unset CAREPOST_DATABASE_URL');
  const binaries = locateBinaries();
  requireMajor(chosen.newest, binaries);
  try {
    const cluster = join(config.dataDir, 'postgres');
    if (!sameStore) await refuseStoreInUse(chosen, await openBlobStore(config.blobUrl));
    await unpackCluster(chosen, cluster);
    const rest = await restoreBeside(config, source, chosen);
    await completeCluster(cluster);
    const { owner, password } = adoptCluster(config.dataDir);
    await recoverCluster({ binaries, cluster, until: at, owner, password });
    await checkRestored(config, chosen, { at, startedAt, ok: rest.faults.length === 0 });
    return { manifest: chosen.newest, ...rest };
  } catch (error) {
    await emptyFolder(config.dataDir);
    throw error;
  }
}

/** Writes the data directory of an external server, which recovers it when it is started, and leaves word of that. */
export async function restoreExternal(
  config: Config,
  source: Source,
  { at, sameStore, pgdata }: Wish & { pgdata: string },
): Promise<RestoreReport> {
  const startedAt = new Date();
  await requireEmpty(pgdata, '--pgdata');
  const chosen = await chooseBackup(source, at);
  if (chosen.newest.server.embedded) throw new Error('the backup is of an embedded database: leave out --pgdata');
  try {
    if (!sameStore) await refuseStoreInUse(chosen, await openBlobStore(config.blobUrl));
    await unpackCluster(chosen, pgdata);
    const lines = Object.entries(recoverySettings(at)).map(([name, value]) => `${name} = '${value}'\n`);
    await appendFile(join(pgdata, 'postgresql.auto.conf'), lines.join(''));
    await writeFile(join(pgdata, 'recovery.signal'), '', { mode: 0o600 });
    const rest = await restoreBeside(config, source, chosen);
    await completeCluster(pgdata);
    await leaveMark(config, chosen.newest, { at, startedAt, ok: rest.faults.length === 0 });
    return { manifest: chosen.newest, ...rest };
  } catch (error) {
    await emptyFolder(pgdata);
    throw error;
  }
}

/** What belongs to an installation beside its database. */
async function restoreBeside(config: Config, source: Source, chosen: Chosen) {
  const kept = chosen.newest.key_store;
  if ((kept === 'folder') !== (config.keyStoreFolder !== null)) {
    throw new Error(`the customer keys of the backup were kept in a ${kept}: set CAREPOST_KEY_STORE accordingly`);
  }
  const customerKeys =
    config.keyStoreFolder === null ? 0 : await putBackCustomerKeys(source.keys, config.keyStoreFolder);
  const { files, faults } = await restoreBlobs(chosen, source.from, await openBlobStore(config.blobUrl));
  return { files, faults, customerKeys, major: majorOf(chosen.newest) };
}

/** Opens the restored installation as the server will, and finds the last thing that the backup wrote. */
async function checkRestored(
  config: Config,
  { newest }: Chosen,
  { at, startedAt, ok }: { at: Date | null; startedAt: Date; ok: boolean },
): Promise<void> {
  const installation = await openInstallation({ ...config, logLevel: 'error' });
  try {
    const { db } = installation;
    if (at === null && !(await hasMark(db, newest.run))) throw new Error('the log of the backup ends early');
    await recordRun(installation, {
      kind: 'restore',
      startedAt,
      ok,
      bytes: newest.blobs.bytes,
      lsn: newest.wal.to,
    });
  } finally {
    await installation.close();
  }
}

async function requireEmpty(folder: string, name: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  if (names.length > 0) throw new Error(`${name} takes an empty folder: ${folder} is not`);
}

async function emptyFolder(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}

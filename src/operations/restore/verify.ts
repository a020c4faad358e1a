import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { startEmbedded } from '../../platform/db/embedded.ts';
import { adoptCluster } from '../../platform/db/embedded-connection.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { recoverCluster } from '../../platform/db/recover-cluster.ts';
import type { Log } from '../../platform/log.ts';
import { createDatabaseKeyStore } from '../../platform/vault/database-key-store.ts';
import { createFolderKeyStore } from '../../platform/vault/folder-key-store.ts';
import { createVault } from '../../platform/vault/vault.ts';
import { customerKeyFolder, DamagedBackup, hasMark } from '../backup/index.ts';
import { checkAudit } from './check-audit.ts';
import { checkBlobs } from './check-blobs.ts';
import { checkValues } from './check-values.ts';
import { type Chosen, chooseBackup, type Source } from './choose.ts';
import { requireMajor } from './require-major.ts';
import { withScratch } from './scratch.ts';
import { completeCluster, unpackCluster } from './unpack-cluster.ts';

const MOST_FAULTS = 20;
const CONNECTIONS = 4;

/** What was looked at. */
interface Findings {
  tables: Record<string, number>;
  values: number;
  submissions: number;
  files: number;
  audit_rows: number;
  audit_checkpoints: number;
  customers_destroyed: number;
}

const NOTHING: Findings = {
  tables: {},
  values: 0,
  submissions: 0,
  files: 0,
  audit_rows: 0,
  audit_checkpoints: 0,
  customers_destroyed: 0,
};

export interface VerifyReport extends Findings {
  backup: string;
  number: number;
  restorable_until: string;
  lsn: string;
  bytes: number;
  /** The first things that are wrong. */
  faults: string[];
}

interface Options {
  at: Date | null;
  /** The folder with the programs of the PostgreSQL that the backup is of. */
  binaries: string;
  log: Log;
}

/**
 * Restores a backup beside everything else, into a folder that is removed afterwards, and looks at every record, every
 * file and the audit log.
 */
export async function verifyBackup(source: Source, options: Options): Promise<VerifyReport> {
  const chosen = await chooseBackup(source, options.at);
  requireMajor(chosen.newest, options.binaries);
  const faults: string[] = [];
  const onFault = (what: string) => void (faults.length < MOST_FAULTS && faults.push(what));
  const findings = await withScratch((scratch, signal) =>
    tryOut({ source, chosen, scratch, signal, ...options }, onFault),
  ).catch((error: unknown) => {
    if (!(error instanceof DamagedBackup)) throw error;
    onFault(error.message);
    return NOTHING;
  });
  const { chain, number, restorable_until, wal } = chosen.newest;
  const bytes = chosen.manifests.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size, 0);
  return { backup: chain, number, restorable_until, lsn: wal.to, bytes, ...findings, faults };
}

type OnFault = (what: string) => void;

interface Trial extends Options {
  source: Source;
  chosen: Chosen;
  /** The folder for the copy. */
  scratch: string;
  /** Aborted where the process is asked to end. */
  signal: AbortSignal;
}

async function tryOut(trial: Trial, onFault: OnFault): Promise<Findings> {
  const { chosen, at, binaries, log, scratch, signal } = trial;
  const cluster = join(scratch, 'postgres');
  await unpackCluster(chosen, cluster, signal);
  await completeCluster(cluster);
  const settings = await ownSettings(scratch, cluster);
  const { database, owner } = chosen.newest.server;
  const { password } = adoptCluster(scratch, { database, owner });
  await recoverCluster({ binaries, cluster, until: at, owner, password, superuser: true, settings, signal });
  const running = await startEmbedded({ dataDir: scratch, log, binaries, settings });
  const stop = () => void running.stop(); // whatever is being asked of it fails
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    return await lookThrough(trial, running.url, onFault);
  } finally {
    signal.removeEventListener('abort', stop);
    await running.stop();
  }
}

/** The copy is run by settings of its own: those of the other server may name files and libraries that are not here. */
async function ownSettings(scratch: string, cluster: string): Promise<Record<string, string>> {
  const [config, access] = [join(scratch, 'postgresql.conf'), join(scratch, 'pg_hba.conf')];
  await writeFile(config, '', { mode: 0o600 });
  await writeFile(access, 'local all all scram-sha-256\n', { mode: 0o600 });
  await writeFile(join(cluster, 'postgresql.auto.conf'), '', { mode: 0o600 });
  return { config_file: config, hba_file: access, ident_file: config };
}

async function lookThrough(trial: Trial, ownerUrl: string, onFault: OnFault): Promise<Findings> {
  const { log, source, chosen, at, scratch, signal } = trial;
  await migrate(ownerUrl, { force: true }); // the nodes that it lists work on the original
  const db = openDatabase({ ownerUrl, log }, 'app', CONNECTIONS);
  const sealerDb = openDatabase({ ownerUrl, log }, 'sealer', 1);
  try {
    if (at === null && !(await hasMark(db, chosen.newest.run))) onFault('the log of the backup ends early');
    const store =
      chosen.newest.key_store === 'database'
        ? createDatabaseKeyStore(db)
        : createFolderKeyStore(customerKeyFolder(source.keys), db);
    const vault = createVault({ db, store, masterKeys: source.masterKeys, clock: systemClock });
    const keysAreNewer = store.kind === 'folder' && at !== null;
    const tables = await countRows(ownerUrl);
    const { values, submissions, destroyed } = await checkValues({ db, vault, keysAreNewer }, onFault);
    const promised = at === null ? chosen.manifests : chosen.manifests.slice(0, -1);
    const audit = await checkAudit({ db, sealerDb, vault }, promised, join(scratch, 'checkpoints.log'), onFault);
    const files = await checkBlobs({ db, vault, clock: systemClock, signal }, chosen, source.from, onFault);
    return {
      tables,
      values,
      submissions,
      files,
      audit_rows: audit.rows,
      audit_checkpoints: audit.checkpoints,
      customers_destroyed: destroyed,
    };
  } finally {
    await db.close();
    await sealerDb.close();
  }
}

async function countRows(ownerUrl: string): Promise<Record<string, number>> {
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      counts[name] = (await client.query(`select count(*) as n from "${name}"`)).rows[0].n as number;
    }
    return counts;
  });
}

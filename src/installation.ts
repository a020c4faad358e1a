import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION } from './accounts/index.ts';
import type { Config } from './config.ts';
import { type CountedStore, countFailures } from './platform/blob/counted-store.ts';
import { openBlobStore } from './platform/blob/open-blob-store.ts';
import { createSealedBlobs, type SealedBlobs } from './platform/blob/sealed-blobs.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { openDataFolder } from './platform/data-folder.ts';
import { APP_CONNECTIONS } from './platform/db/connections.ts';
import { type Database, openDatabase } from './platform/db/database.ts';
import { findRunningEmbedded, startEmbedded } from './platform/db/embedded.ts';
import { clusterMajor } from './platform/db/embedded-version.ts';
import { migrate, requireSchema } from './platform/db/migrate.ts';
import { oneAtATime } from './platform/db/one-at-a-time.ts';
import { ensurePartitions } from './platform/db/partitions.ts';
import { withConnection } from './platform/db/pool.ts';
import { requirePassword } from './platform/db/roles.ts';
import { migrateJobs } from './platform/jobs/runner.ts';
import { createLog, type Log } from './platform/log.ts';
import { createDatabaseKeyStore } from './platform/vault/database-key-store.ts';
import { createFolderKeyStore } from './platform/vault/folder-key-store.ts';
import type { KeyStore } from './platform/vault/key-store.ts';
import { createMasterKeyFile, type MasterKeys, openMasterKeys } from './platform/vault/master-key.ts';
import { createVault, type Vault } from './platform/vault/vault.ts';

const MASTER_KEY_ID = 'master key id';
const WHERE_KEYS_ARE =
  'mount the folder that does, or put it back from a backup; keys stay where the first start made them';

/** What the server and every command stand on: the database up to date, the keys at hand, the store open. */
export interface Installation {
  config: Config;
  /** The owner's address, on which a session keeps its connection. */
  ownerUrl: string;
  /** The same through a pooler that lends connections by the transaction, where there is one. */
  poolerUrl: string | null;
  db: Database;
  vault: Vault;
  masterKeys: MasterKeys;
  keyStore: KeyStore;
  blobStore: CountedStore;
  blobs: SealedBlobs;
  clock: Clock;
  log: Log;
  close(): Promise<void>;
}

interface Options {
  clock?: Clock;
  log?: Log;
  /** Whether this process keeps the embedded database running, rather than joining one that runs. */
  keepsDatabase?: boolean;
  /** Whether it sets up what is not there yet and brings what is older up to date, rather than refusing both. */
  upgrades?: boolean;
}

/** Opens an installation. */
export async function openInstallation(config: Config, options: Options = {}): Promise<Installation> {
  const { clock = systemClock, log = createLog(config.logLevel), keepsDatabase = false, upgrades = true } = options;
  if (!upgrades) requireSetUp(config);
  openDataFolder(config.dataDir);
  const server = await findDatabase(config, log, keepsDatabase);
  const ownerUrl = server.url;
  const poolerUrl = config.databaseDirectUrl === null ? null : config.databaseUrl;
  let db: Database | undefined;
  try {
    if (!upgrades) await requireSchema(ownerUrl);
    await migrate(ownerUrl);
    await oneAtATime(ownerUrl, 'jobs schema', () => migrateJobs(ownerUrl, log));
    await ensurePartitions(ownerUrl, clock);
    const opened = openDatabase({ ownerUrl, poolerUrl, log }, 'app', APP_CONNECTIONS);
    db = opened;
    // Nodes that start together on an empty database must not each make keys of their own.
    const keys = await oneAtATime(ownerUrl, 'keys', () => findKeys(config, opened, clock));
    const blobStore = countFailures(await openBlobStore(config.blobUrl));
    const blobs = createSealedBlobs({ db, store: blobStore, vault: keys.vault, clock });
    const close = async () => {
      await opened.close();
      await server.stop();
    };
    return { config, ownerUrl, poolerUrl, db, ...keys, blobStore, blobs, clock, log, close };
  } catch (error) {
    await db?.close();
    await server.stop();
    throw error;
  }
}

/** A command that was told of no installation would make one where it stands, and work on that. */
export function requireSetUp({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== null || clusterMajor(dataDir) !== null) return;
  throw new Error(
    `there is no installation in ${dataDir}: set CAREPOST_DATA_DIR or CAREPOST_DATABASE_URL to where it is, or start the server`,
  );
}

/** The database server of an installation as it is: one that runs, or the embedded one, which is started for as long. */
export async function findDatabase(
  config: Config,
  log: Log,
  keepsDatabase = false,
): Promise<{ url: string; stop(): Promise<void> }> {
  const joined = { stop: async () => {} };
  if (config.databaseUrl !== null) {
    requirePassword(config.databaseUrl);
    return { url: await reachDatabase(config.databaseUrl, config.databaseDirectUrl), ...joined };
  }
  openDataFolder(config.dataDir);
  const running = keepsDatabase ? null : await findRunningEmbedded(config.dataDir);
  if (running !== null) return { url: running, ...joined };
  return startEmbedded({ dataDir: config.dataDir, log });
}

/** The address that leads to a server of one's own, past a pooler where there is one; refused where it does not answer. */
async function reachDatabase(databaseUrl: string, directUrl: string | null): Promise<string> {
  const url = directUrl ?? databaseUrl;
  try {
    await withConnection(url, (client) => client.query('select 1'));
    return url;
  } catch (error) {
    const setting = directUrl === null ? 'CAREPOST_DATABASE_URL' : 'CAREPOST_DATABASE_DIRECT_URL';
    throw new Error(`${setting} leads to no database that lets us in`, { cause: error });
  }
}

/**
 * The keys of this database. They are made only for a database that has never had any: anything else would turn lost keys
 * into lost data without a word.
 */
async function findKeys(config: Config, db: Database, clock: Clock) {
  const registered = await registeredMasterKey(db);
  const masterKeys = findMasterKeys(config, registered);
  const { keyStoreFolder: folder } = config;
  const keyStore = folder === null ? createDatabaseKeyStore(db) : createFolderKeyStore(folder, db);
  const vault = createVault({ db, store: keyStore, masterKeys, clock });
  if ((await keyStore.load(INSTALLATION)).length === 0) {
    if (registered !== null)
      throw new Error(
        `CAREPOST_KEY_STORE (${folder ?? 'database'}) holds no keys of this installation: ${WHERE_KEYS_ARE}`,
      );
    await vault.createKeys(INSTALLATION);
  }
  if (registered === null) await registerMasterKey(db, masterKeys.current().id);
  return { masterKeys, keyStore, vault };
}

function findMasterKeys({ masterKeyFile }: Config, registered: string | null): MasterKeys {
  if (!existsSync(masterKeyFile)) {
    if (registered !== null) {
      throw new Error(
        `CAREPOST_MASTER_KEY_FILE is missing (${masterKeyFile}), and the database was sealed with key ${registered}`,
      );
    }
    makeMasterKey(masterKeyFile);
  }
  const keys = openMasterKeys(masterKeyFile);
  if (registered !== null && keys.byId(registered) === null) {
    throw new Error(`CAREPOST_MASTER_KEY_FILE holds another key than the ${registered} that sealed the database`);
  }
  return keys;
}

function makeMasterKey(file: string): void {
  try {
    createMasterKeyFile(file);
  } catch (error) {
    throw new Error('CAREPOST_MASTER_KEY_FILE takes a file in a folder that this user may write', { cause: error });
  }
}

/** The id of the master key that the database was sealed with; null before its first start. */
export async function registeredMasterKey(db: Database): Promise<string | null> {
  const row = await db.untenanted((tx) =>
    tx.selectFrom('installation').select('value').where('name', '=', MASTER_KEY_ID).executeTakeFirst(),
  );
  return row?.value.toString() ?? null;
}

/** Notes which master key is in force. */
export async function registerMasterKey(db: Database, id: string): Promise<void> {
  const value = Buffer.from(id);
  await db.untenanted((tx) =>
    tx
      .insertInto('installation')
      .values({ name: MASTER_KEY_ID, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );
}

/** Where checkpoints of the audit log go, outside the database. */
export function checkpointFileOf(dataDir: string): string {
  return join(dataDir, 'audit', 'checkpoints.log');
}

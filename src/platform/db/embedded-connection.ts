import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Who owns a cluster that is made here. */
export const OWNER = 'carepost_owner';
/** The database in it. */
export const DATABASE = 'carepost';
// sockaddr_un holds 107 characters; the socket's own name takes 14 of them.
const LONGEST_SOCKET_FOLDER = 90;

/** How to reach the embedded PostgreSQL of a data dir, as its file keeps it. */
export interface EmbeddedConnection {
  socketFolder: string;
  password: string;
  /** Named where the cluster is a copy of another server's. */
  owner?: string;
  database?: string;
}

/** The connection of a data dir, made up where there is none yet. */
export function connectionOf(dataDir: string): EmbeddedConnection {
  return readConnection(dataDir) ?? writeConnection(dataDir);
}

/** The connection of a data dir, or null where nothing was ever started on it. */
export function readConnection(dataDir: string): EmbeddedConnection | null {
  const file = join(dataDir, 'postgres.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as EmbeddedConnection) : null;
}

/** The owner's address of the product's database. */
export function databaseUrl(connection: EmbeddedConnection): string {
  return addressOf(connection, connection.database ?? DATABASE);
}

/** The owner's address of the database that every cluster has. */
export function adminUrl(connection: EmbeddedConnection): string {
  return addressOf(connection, 'postgres');
}

/** Notes a new password for the owner of a cluster that is put into a data dir, and tells whose it has to become. */
export function adoptCluster(dataDir: string, names: { owner?: string; database?: string } = {}) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { owner = OWNER, password } = writeConnection(dataDir, undefined, names);
  return { owner, password };
}

/** Lets the cluster that is yet to be made in one data dir have the owner, and so the roles, of another's. */
export function shareOwner(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const connection = readConnection(from);
  if (connection !== null && readConnection(to) === null) writeConnection(to, connection.password);
}

function writeConnection(
  dataDir: string,
  password = randomBytes(32).toString('base64url'),
  names: { owner?: string; database?: string } = {},
): EmbeddedConnection {
  const inside = join(dataDir, 'run');
  const socketFolder = inside.length <= LONGEST_SOCKET_FOLDER ? inside : mkdtempSync(join(tmpdir(), 'carepost-'));
  const connection = { socketFolder, password, ...names };
  const file = join(dataDir, 'postgres.json');
  writeFileSync(`${file}.new`, JSON.stringify(connection), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return connection;
}

function addressOf({ socketFolder, password, owner = OWNER }: EmbeddedConnection, database: string): string {
  return `postgres://${encodeURIComponent(owner)}:${password}@${encodeURIComponent(socketFolder)}/${database}`;
}

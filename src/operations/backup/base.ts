import type { ReplicationConnection } from '../../platform/db/replication.ts';
import { type Lsn, readLsn } from './lsn.ts';
import { type ChainFolder, type FileEntry, writeSealed } from './sealed-file.ts';

const COMMAND = `BASE_BACKUP (LABEL 'carepost', CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no')`;
const ARCHIVE_DATA = 0x64; // d
/** Small enough to be copied elsewhere again when a copy is cut off. */
const PART_BYTES = 2 ** 30;

/** Where the log of a base backup begins and where it has to be replayed to. */
export interface BaseBackup {
  files: FileEntry[];
  start: Lsn;
  end: Lsn;
}

/** Takes the files of the whole database server into sealed parts of a tar archive, without any snapshot. */
export async function takeBase(
  connection: ReplicationConnection,
  place: ChainFolder,
  prefix: string,
): Promise<BaseBackup> {
  const { messages, rows } = connection.stream(COMMAND);
  const files: FileEntry[] = [];
  const parts = cutIntoParts(archiveBytes(messages, () => refuseTablespaces(rows)));
  for await (const part of parts) {
    const number = String(files.length + 1).padStart(4, '0');
    files.push(await writeSealed(place, `${prefix}.base.${number}`, part));
  }
  const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]];
  if (typeof first !== 'string' || typeof last !== 'string') throw new Error('PostgreSQL cut the base backup off');
  return { files, start: readLsn(first), end: readLsn(last) };
}

async function* archiveBytes(messages: AsyncIterable<Buffer>, check: () => void): AsyncGenerator<Buffer> {
  for await (const message of messages) {
    check();
    if (message[0] === ARCHIVE_DATA) yield message.subarray(1);
  }
}

/** The first row is the start, the second the data directory; whatever else comes before the archive is a tablespace. */
function refuseTablespaces(rows: (string | null)[][]): void {
  if (rows.slice(1).some(([oid]) => oid !== null && oid !== undefined && /^\d+$/.test(oid))) {
    throw new Error('a database with tablespaces cannot be backed up: move its tables to pg_default');
  }
}

async function* cutIntoParts(source: AsyncGenerator<Buffer>): AsyncGenerator<AsyncGenerator<Buffer>> {
  let next = await source.next();
  async function* part(): AsyncGenerator<Buffer> {
    for (let left = PART_BYTES; left > 0 && next.done !== true; next = await source.next()) {
      left -= next.value.length;
      yield next.value;
    }
  }
  while (next.done !== true) yield part();
}

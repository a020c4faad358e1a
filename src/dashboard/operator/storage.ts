import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

const MOST_TABLES = 12;

/** Where the room goes. */
export interface Storage {
  databaseBytes: number;
  tables: { name: string; bytes: number; rows: number }[];
  files: number;
  fileBytes: number;
  disk: Disk;
}

export interface Disk {
  freeBytes: number;
  totalBytes: number;
}

/** What database and files take, and what the disk under the data folder has left. */
export async function readStorage(db: Database, dataDir: string): Promise<Storage> {
  const disk = await readDisk(dataDir);
  return db.untenanted(async (tx) => {
    const { rows: sizes } = await sql<{ bytes: string; files: string; file_bytes: string }>`
      select pg_database_size(current_database()) as bytes, b.files, b.bytes as file_bytes from sum_blobs() b`.execute(
      tx,
    );
    // A partitioned table is as large as its parts. The number of rows is PostgreSQL's own estimate.
    const { rows: tables } = await sql<{ name: string; bytes: string; rows: string }>`
      select c.relname as name, sum(pg_total_relation_size(part.relid))::bigint as bytes,
        sum(pg_stat_get_live_tuples(part.relid))::bigint as rows
      from pg_class c
      cross join lateral (
        select relid from pg_partition_tree(c.oid) union select c.oid::regclass) part
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      group by c.relname order by 2 desc limit ${MOST_TABLES}`.execute(tx);
    const size = sizes[0];
    return {
      databaseBytes: Number(size?.bytes ?? 0),
      tables: tables.map(({ name, bytes, rows }) => ({ name, bytes: Number(bytes), rows: Number(rows) })),
      files: Number(size?.files ?? 0),
      fileBytes: Number(size?.file_bytes ?? 0),
      disk,
    };
  });
}

/** What the disk under a folder has left. */
export async function readDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

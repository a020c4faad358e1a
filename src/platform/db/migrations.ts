import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './pool.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** One step of the schema. */
export interface Migration {
  name: string;
  text: string;
  sha256: Buffer;
  /** Whether nodes of the version before may go on working, and be started, once it has run. */
  beside: boolean;
}

interface Applied {
  name: string;
  sha256: Buffer;
  beside: boolean;
}

/** Every migration of this version, in their order. */
export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      const sha256 = createHash('sha256').update(text).digest();
      return { name, text, sha256, beside: text.startsWith('-- beside: yes\n') };
    });
}

/** What has run on a database, by name; nothing where it is empty. */
export async function readApplied(client: Client): Promise<Map<string, Applied>> {
  const { rows: found } = await client.query(
    `select array_agg(attname::text) as columns from pg_attribute where attrelid = to_regclass('public.schema_migrations')`,
  );
  const columns = found[0].columns as string[] | null;
  if (columns === null) return new Map();
  // Versions before did not say.
  const beside = columns.includes('beside') ? 'beside' : 'false as beside';
  const { rows } = await client.query<Applied>(`select name, sha256, ${beside} from public.schema_migrations`);
  return new Map(rows.map((row) => [row.name, row]));
}

/** The migrations that are still to run; refuses a database that this version does not fit. */
export function pendingOf(applied: ReadonlyMap<string, Applied>): Migration[] {
  const all = readMigrations();
  const changed = all.find(({ name, sha256 }) => applied.get(name)?.sha256.equals(sha256) === false);
  if (changed !== undefined) throw new Error(`migration ${changed.name} was changed after it ran`);
  const known = new Set(all.map(({ name }) => name));
  const newer = [...applied.values()].find(({ name, beside }) => !known.has(name) && !beside);
  if (newer !== undefined) {
    throw new Error(
      `the database belongs to a newer version (migration ${newer.name}), beside which this one cannot run: install that version, or restore the backup made before it`,
    );
  }
  return all.filter(({ name }) => !applied.has(name));
}

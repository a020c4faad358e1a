import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, withConnection } from './pool.ts';
import { ensureRoles, requirePassword } from './roles.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'migrations');
const OLDEST_SERVER = 150_000;

/**
 * Brings the schema up to date and returns the names of what it applied. Safe to call on several
 * nodes at once: one applies while the others wait, then find nothing left to do.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  requirePassword(ownerUrl);
  await withConnection(ownerUrl, refuseOldServer);
  await ensureRoles(ownerUrl);
  return withConnection(ownerUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('carepost migrations'))`);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, sha256 bytea not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query('select name, sha256 from schema_migrations');
    const applied = new Map(rows.map((row: { name: string; sha256: Buffer }) => [row.name, row.sha256]));
    const news: string[] = [];
    for (const name of readdirSync(FOLDER).toSorted()) {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      const sha256 = createHash('sha256').update(text).digest();
      const known = applied.get(name);
      if (known !== undefined && !known.equals(sha256)) throw new Error(`migration ${name} was changed after it ran`);
      if (known !== undefined) continue;
      await applyMigration(client, { name, text, sha256 });
      news.push(name);
    }
    return news;
  });
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`);
  if (rows[0].version < OLDEST_SERVER) throw new Error('CAREPOST_DATABASE_URL takes a PostgreSQL 15 or newer');
}

async function applyMigration(client: Client, { name, text, sha256 }: { name: string; text: string; sha256: Buffer }) {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}

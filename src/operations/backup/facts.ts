import type { Installation } from '../../installation.ts';
import { type Client, withConnection } from '../../platform/db/pool.ts';
import type { Manifest, ServerFacts } from './manifest.ts';

/** What a manifest tells about the database, read by cheap queries. */
export type Facts = Pick<Manifest, 'migration' | 'tables' | 'audit_heads'> & { server: Omit<ServerFacts, 'system_id'> };

/** Reads what a manifest tells about the database. */
export async function readFacts({ ownerUrl, config }: Installation): Promise<Facts> {
  return withConnection(ownerUrl, async (client) => {
    const [server] = await select<Omit<ServerFacts, 'system_id' | 'embedded'>>(
      client,
      `select current_setting('server_version_num')::int as version, current_user as owner,
         current_database() as database, s.setting::int as segment_bytes
       from pg_settings s where s.name = 'wal_segment_size'`,
    );
    if (server === undefined) throw new Error('PostgreSQL does not tell its segment size');
    const [migrated] = await select<{ name: string }>(client, 'select max(name) as name from schema_migrations');
    const tables = await select<{ name: string; rows: number }>(
      client,
      `select relname as name, n_live_tup as rows from pg_stat_user_tables where schemaname = 'public' order by relname`,
    );
    return {
      server: { ...server, embedded: config.databaseUrl === null },
      migration: migrated?.name ?? '',
      tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
      audit_heads: await select(
        client,
        `select customer_id as customer, seq, encode(hash, 'hex') as hash from audit_heads order by customer_id`,
      ),
    };
  });
}

async function select<Row>(client: Client, text: string): Promise<Row[]> {
  return (await client.query(text)).rows as Row[];
}

import type { Clock } from '../../platform/clock.ts';
import { type Client, withConnection } from '../../platform/db/pool.ts';

/** Whoever reads or writes waits no longer than this for a month to go; tomorrow is another day. */
const LOCK_TIMEOUT = '2s';

/** Drops the monthly partitions before last month in which nothing is left, and answers their names. */
export async function dropEmptyMonths(ownerUrl: string, clock: Clock): Promise<string[]> {
  const now = clock.now();
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query(
      `select c.oid::regclass::text as name, p.oid::regclass::text as parent
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       where p.relkind = 'p' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and substring(c.relname from '_(\\d{4}_\\d\\d)$') < $1 order by 1`,
      [lastMonth.toISOString().slice(0, 7).replace('-', '_')],
    );
    const dropped: string[] = [];
    for (const { name, parent } of rows) if (await dropEmpty(client, name, parent)) dropped.push(name);
    return dropped;
  });
}

/**
 * A vacuum gives the pages of removed rows back, so that a file without a byte is a table without a row, whoever may see
 * rows; looked at once more while nobody can write.
 */
async function dropEmpty(client: Client, name: string, parent: string): Promise<boolean> {
  await client.query(`vacuum ${name}`);
  if (!(await isEmpty(client, name))) return false;
  try {
    await client.query(
      `begin; set local lock_timeout = '${LOCK_TIMEOUT}'; lock table ${parent} in access exclusive mode`,
    );
    const empty = await isEmpty(client, name);
    if (empty) await client.query(`drop table ${name}`);
    await client.query('commit');
    return empty;
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code === '55P03') return false; // lock_not_available
    throw error;
  }
}

async function isEmpty(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select pg_relation_size($1::regclass) = 0 as empty', [name]);
  return rows[0].empty;
}

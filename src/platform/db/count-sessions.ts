import type { Client } from './pool.ts';
import { LOGIN_ROLES } from './roles.ts';

/** How many connections to a database are the product's own. */
export async function countSessions(client: Client): Promise<number> {
  const { rows } = await client.query<{ sessions: number }>(
    'select count(*)::int as sessions from pg_stat_activity where datname = current_database() and usename = any($1)',
    [LOGIN_ROLES.map((role) => `carepost_${role}`)],
  );
  return rows[0]?.sessions ?? 0;
}

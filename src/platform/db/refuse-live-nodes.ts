import { countSessions } from './count-sessions.ts';
import type { Migration } from './migrations.ts';
import type { Client } from './pool.ts';

/** A node says every 10 seconds that it is there: one that was silent for so long has ended. */
const HEARD_WITHIN_SECONDS = 30;

/**
 * Refuses a migration that the version before does not stand while nodes of it work: whoever has said that it is there
 * before the migration ran is of a version before.
 */
export async function refuseLiveNodes(client: Client, wanted: readonly Migration[]): Promise<void> {
  const notBeside = wanted.find(({ beside }) => !beside);
  if (notBeside === undefined) return;
  const nodes = await listLiveNodes(client);
  if (nodes.length === 0) return;
  throw new Error(
    `the version before cannot work beside migration ${notBeside.name}, and nodes of it were heard of within ${HEARD_WITHIN_SECONDS} seconds (${nodes.join(', ')}): stop every node and try again, or run carepost migrate --force`,
  );
}

async function listLiveNodes(client: Client): Promise<string[]> {
  const { rows: found } = await client.query(`select to_regclass('public.nodes') is not null as there`);
  if (!found[0].there) {
    // A version that wrote no nodes down is known by its connections.
    const sessions = await countSessions(client);
    return sessions === 0 ? [] : [`${sessions} open connections`];
  }
  const { rows } = await client.query<{ node: string }>(
    `select distinct host || ' ' || version as node from public.nodes
     where seen_at > now() - make_interval(secs => $1) order by 1`,
    [HEARD_WITHIN_SECONDS],
  );
  return rows.map(({ node }) => node);
}

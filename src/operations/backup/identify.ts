import { type Client, withConnection } from '../../platform/db/pool.ts';
import type { ReplicationConnection } from '../../platform/db/replication.ts';
import { type Lsn, readLsn } from './lsn.ts';

const NOT_PERMITTED = '42501';

/** Which server can be copied by a connection, and which history it is on. */
export async function identify(connection: ReplicationConnection): Promise<{ systemId: string; timeline: number }> {
  const [[systemId, timeline] = []] = await connection.rows('IDENTIFY_SYSTEM');
  return { systemId: String(systemId), timeline: Number(timeline) };
}

/** Which server the installation works on; null where its role may not know. */
export async function readSystemId(ownerUrl: string): Promise<string | null> {
  return withConnection(ownerUrl, async (client) => {
    try {
      return await ask(client, 'select system_identifier::text as answer from pg_control_system()');
    } catch (error) {
      if ((error as { code?: string }).code === NOT_PERMITTED) return null;
      throw error;
    }
  });
}

/** How much of its log the installation's server has safe on its disk: all that was acknowledged by now. */
export async function readFlushed(ownerUrl: string): Promise<Lsn> {
  return withConnection(ownerUrl, async (client) =>
    readLsn(await ask(client, 'select pg_current_wal_flush_lsn()::text as answer')),
  );
}

async function ask(client: Client, text: string): Promise<string> {
  return (await client.query<{ answer: string }>(text)).rows[0]?.answer ?? '';
}

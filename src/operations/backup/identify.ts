import type { ReplicationConnection } from '../../platform/db/replication.ts';
import { type Lsn, readLsn } from './lsn.ts';

/** Which server this is, which history it is on, and how much of it is safe on its disk. */
export async function identify(
  connection: ReplicationConnection,
): Promise<{ systemId: string; timeline: number; flushed: Lsn }> {
  const [[systemId, timeline, flushed] = []] = await connection.rows('IDENTIFY_SYSTEM');
  return { systemId: String(systemId), timeline: Number(timeline), flushed: readLsn(String(flushed)) };
}

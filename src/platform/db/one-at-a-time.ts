import { withConnection } from './pool.ts';

/** Does work while no other node does work of this name. The lock ends with its connection, whatever becomes of the node. */
export async function oneAtATime<T>(ownerUrl: string, name: string, work: () => Promise<T>): Promise<T> {
  return withConnection(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [`carepost ${name}`]);
    return work();
  });
}

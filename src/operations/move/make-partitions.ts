import { withConnection } from '../../platform/db/pool.ts';
import type { Partition } from './catalogue.ts';

/** Makes the partitions of another database; what a first start adds to them comes with it. */
export async function makePartitions(ownerUrl: string, partitions: Partition[]): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    await client.query('begin');
    for (const { name, parent, bounds, storage } of partitions) {
      const options = storage === null ? '' : `with (${storage})`;
      await client.query(`create table if not exists ${name} partition of ${parent} ${bounds} ${options}`);
      await client.query(`alter table ${name} enable row level security`);
      await client.query(`alter table ${name} force row level security`);
    }
    await client.query('commit');
  });
}

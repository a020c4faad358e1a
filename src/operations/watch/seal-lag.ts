import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { readBriefly } from './read-briefly.ts';

/** For how many seconds the oldest audit row has not been chained; 0 where all are. */
export async function readSealLag({ sealerDb, clock }: { sealerDb: Database; clock: Clock }): Promise<number> {
  const [row] = await readBriefly(
    sealerDb,
    sql<{ oldest: Date | null }>`
      select min(at) as oldest from audit_log where xact >= (select sealed_below from audit_watermark)`,
  );
  const oldest = row?.oldest ?? null;
  return oldest === null ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000);
}

import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { releaseFile } from './release-file.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;
/** For how long the file of a dry run waits for the import that may follow. */
const DRY_RUN_DAYS = 7;

interface Ended {
  customer_id: number;
  id: string;
}

/** Gives up the files of imports that ended while something was held, and of dry runs that nobody has started. */
export async function sweepImportFiles({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - DRY_RUN_DAYS * DAY_MS);
  for (;;) {
    const { rows } = await db.untenanted((tx) =>
      sql<Ended>`select * from find_imports_to_release(${before})`.execute(tx),
    );
    if (rows.length === 0) return;
    for (const { customer_id: customerId, id } of rows) {
      await db.tenant([customerId], async (tx) => {
        // A dry run that somebody has started meanwhile needs its file.
        const ended = await tx
          .selectFrom('imports')
          .select('id')
          .where('customer_id', '=', customerId)
          .where('id', '=', id)
          .where('state', 'in', ['done', 'failed', 'undone'])
          .forUpdate()
          .executeTakeFirst();
        if (ended !== undefined) await releaseFile(tx, customerId, id);
      });
    }
  }
}

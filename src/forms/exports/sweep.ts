import { sql } from 'kysely';
import { hasHolds, shareHolds } from '../../accounts/index.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { removeFiles } from '../submissions/delete.ts';
import { EXPORT_DAYS } from './export-job.ts';
import { letGo } from './release.ts';

const DAY_MS = 24 * 3600_000;

interface Ended {
  customer_id: number;
  id: string;
  person_removed: boolean;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  store: BlobStore;
  clock: Clock;
}

/**
 * Lets go of exports that have been kept long enough, and of those that were asked for by somebody who is removed, unless
 * something is held.
 */
export async function sweepFormExports({ db, store, clock }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - EXPORT_DAYS * DAY_MS);
  for (;;) {
    const { rows } = await db.untenanted((tx) =>
      sql<Ended>`select * from find_ended_form_exports(${before})`.execute(tx),
    );
    if (rows.length === 0) return;
    for (const { customer_id: customerId, id: jobId, person_removed: removed } of rows) {
      const because = removed ? 'person_removed' : 'expired';
      const files = await db.tenant([customerId], async (tx) => {
        await shareHolds(tx, customerId);
        if (await hasHolds(tx, customerId)) return []; // found again once nothing is held
        return letGo(tx, clock, { customerId, jobId }, because);
      });
      await removeFiles(store, files);
    }
  }
}

import { sql } from 'kysely';
import { notHeld, recordAct, shareHolds } from '../../accounts/index.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { sweepExpired } from '../../platform/db/sweep-expired.ts';
import { removeFiles } from '../submissions/delete.ts';
import { destroyUploads } from './destroy-uploads.ts';
import '../tables.ts';

interface Deps {
  /** The database as the worker role. */
  db: Database;
  store: BlobStore;
  clock: Clock;
}

/** Destroys files that no submission has claimed in time and no legal hold keeps; run by cron as the worker role. */
export async function sweepUploads(deps: Deps): Promise<void> {
  await sweepExpired(deps, 'form_uploads', (customerId, ids) => destroyExpired(deps, customerId, ids));
}

/** A draft may have prolonged some of them meanwhile. */
async function destroyExpired({ db, store, clock }: Deps, customerId: number, ids: string[]): Promise<void> {
  const files = await db.tenant([customerId], async (tx) => {
    await shareHolds(tx, customerId);
    const rows = await tx
      .selectFrom('form_uploads')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('id', 'in', ids)
      .where('expires_at', '<=', clock.now())
      .where(notHeld(customerId, sql`array[form_id]`))
      .forUpdate()
      .execute();
    const expired = rows.map(({ id }) => id);
    if (expired.length === 0) return [];
    const actor = { kind: 'worker', id: 'retention' } as const;
    const act = { customerId, actor, action: 'upload.expired', requestId: null };
    await recordAct(tx, clock, act, { details: { uploads: expired } });
    return destroyUploads(tx, customerId, expired);
  });
  await removeFiles(store, files);
}

import { sql } from 'kysely';
import { notHeld, type SigningKey, shareHolds } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { destroySubmissions, removeFiles } from './delete.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;
const PAGE = 200;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  store: BlobStore;
  clock: Clock;
  signingKey: SigningKey;
}

/** Destroys what has been kept for as long as its form says and no legal hold keeps; run by cron as the worker role. */
export async function sweepSubmissions(deps: Deps): Promise<void> {
  const forms = await deps.db.untenanted((tx) =>
    tx.selectFrom('forms').select(['id', 'customer_id']).where('retention_days', 'is not', null).execute(),
  );
  for (const { id, customer_id: customerId } of forms) while ((await destroyPage(deps, customerId, id)) === PAGE);
}

/** Asks anew for how long to keep at each page: a rule that was withdrawn meanwhile destroys nothing more. */
async function destroyPage(deps: Deps, customerId: number, formId: string): Promise<number> {
  const { db, store, clock, signingKey } = deps;
  const actor = { kind: 'worker', id: 'retention' } as const;
  const act: Act = { customerId, actor, action: 'submission.expired', requestId: null };
  const { count, files } = await db.tenant([customerId], async (tx) => {
    const { retention_days: days } = await tx
      .selectFrom('forms')
      .select('retention_days')
      .where('customer_id', '=', customerId)
      .where('id', '=', formId)
      .executeTakeFirstOrThrow();
    if (days === null) return { count: 0, files: [] };
    await shareHolds(tx, customerId);
    const before = firstIdAt(new Date(clock.now().getTime() - days * DAY_MS));
    const rows = await tx
      .selectFrom('submissions')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('form_id', '=', formId)
      .where('id', '<', before)
      .where(notHeld(customerId, sql`array[submissions.id, ${formId}::uuid]`, sql`array[submissions.submitter_index]`))
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return { count: 0, files: [] };
    const why = { reason: 'retention', days } as const;
    const destroyed = await destroySubmissions(tx, { clock, act, signingKey }, { formId, ids, why });
    return { count: ids.length, files: destroyed };
  });
  await removeFiles(store, files);
  return count;
}

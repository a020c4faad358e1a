import { sql } from 'kysely';
import { notHeld, recordAct, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { sweepExpired } from '../../platform/db/sweep-expired.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;

/** Destroys drafts that nobody went on with and no legal hold keeps, and codes that are over; run by cron as the worker role. */
export async function sweepDrafts({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await sweepExpired({ db, clock }, 'form_drafts', (customerId, ids) => destroyExpired({ db, clock }, customerId, ids));
  const dayAgo = new Date(clock.now().getTime() - DAY_MS);
  await db.untenanted((tx) => tx.deleteFrom('form_draft_codes').where('created_at', '<=', dayAgo).execute());
}

/** One that was saved again meanwhile stays. */
async function destroyExpired({ db, clock }: { db: Database; clock: Clock }, customerId: number, ids: string[]) {
  await db.tenant([customerId], async (tx) => {
    await shareHolds(tx, customerId);
    const gone = await tx
      .deleteFrom('form_drafts')
      .where('customer_id', '=', customerId)
      .where('id', 'in', ids)
      .where('expires_at', '<=', clock.now())
      .where(notHeld(customerId, sql`array[form_id]`))
      .returning('id')
      .execute();
    if (gone.length === 0) return;
    const actor = { kind: 'worker', id: 'retention' } as const;
    const act = { customerId, actor, action: 'draft.expired', requestId: null };
    await recordAct(tx, clock, act, { details: { drafts: gone.map(({ id }) => id) } });
  });
}

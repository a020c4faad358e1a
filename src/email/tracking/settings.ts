import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { DEFAULT_TRACKING, type TrackingSettings } from './track.ts';
import '../tables.ts';

/** What these customers have said about tracking; those that have said nothing are not in it. */
export async function readTrackingSettings(tx: Tx, customers: number[]): Promise<Map<number, TrackingSettings>> {
  const rows = await tx.selectFrom('email_settings').selectAll().where('customer_id', 'in', customers).execute();
  return new Map(
    rows.map((row) => [row.customer_id, { openTracking: row.open_tracking, linkTracking: row.link_tracking }]),
  );
}

/** Changes what a customer wants to know about its mail. */
export async function saveTrackingSettings(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  change: Partial<TrackingSettings>,
): Promise<TrackingSettings> {
  return db.tenant([act.customerId], async (tx) => {
    const before = (await readTrackingSettings(tx, [act.customerId])).get(act.customerId) ?? DEFAULT_TRACKING;
    const after = { ...before, ...change };
    const values = {
      open_tracking: after.openTracking,
      link_tracking: after.linkTracking,
      updated_at: clock.now(),
    };
    await tx
      .insertInto('email_settings')
      .values({ customer_id: act.customerId, ...values })
      .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(values))
      .execute();
    await recordAct(tx, clock, act, { details: { ...after } });
    return after;
  });
}

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
    const said = {
      ...(change.openTracking === undefined ? {} : { open_tracking: change.openTracking }),
      ...(change.linkTracking === undefined ? {} : { link_tracking: change.linkTracking }),
      updated_at: clock.now(),
    };
    const { openTracking: open_tracking, linkTracking: link_tracking } = DEFAULT_TRACKING;
    // Only what is said is written, so that of two who say different things at the same time both are heard.
    const row = await tx
      .insertInto('email_settings')
      .values({ customer_id: act.customerId, open_tracking, link_tracking, ...said })
      .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(said))
      .returning(['open_tracking', 'link_tracking'])
      .executeTakeFirstOrThrow();
    const after = { openTracking: row.open_tracking, linkTracking: row.link_tracking };
    await recordAct(tx, clock, act, { details: { ...after } });
    return after;
  });
}

import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { type Interest, interestIn } from '../interest.ts';
import type { Drip } from './drip.ts';
import { selectVersions, type Version } from './version.ts';
import '../tables.ts';

/** What a drip wants to be told of, and whether people enter it by that. */
type Wanted = Interest & { enters: boolean };

/** Says anew what a drip wants to be told of; nothing once it is over. */
export async function setInterests(tx: Tx, drip: Drip, versions: readonly Version[]): Promise<void> {
  const { id, customer_id: customerId, state } = drip;
  await tx.deleteFrom('drip_interests').where('customer_id', '=', customerId).where('drip_id', '=', id).execute();
  if (state !== 'running' && state !== 'paused') return;
  const wanted = [...concerns(drip, versions), ...(state === 'running' ? entries(drip) : [])];
  await tx
    .insertInto('drip_interests')
    .values(wanted.map((each) => ({ ...each, drip_id: id, customer_id: customerId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The versions of a drip that somebody goes by, or will. */
export async function versionsInUse(tx: Tx, drip: Drip): Promise<Version[]> {
  const { id, customer_id: customerId, live_version: live, trial_version: trial } = drip;
  return selectVersions(tx, customerId, id)
    .where(
      sql<boolean>`(version in (${live}, ${trial}) or exists (select from drip_step_counts c
        where c.customer_id = ${customerId} and c.drip_id = ${id} and c.version = drip_versions.version
        group by c.step having sum(c.waiting) > 0))`,
    )
    .execute();
}

/** What ends somebody's way through a drip, what they may wait for in it, and what it is to bring about. */
function concerns({ subscription_list_id: listId, goal }: Drip, versions: readonly Version[]): Wanted[] {
  const waits = versions.flatMap(({ graph }) => graph.nodes).filter((node) => node.type === 'wait');
  return [
    { kind: 'left', subject: String(listId) },
    { kind: 'opted_out', subject: '' },
    { kind: 'deleted', subject: '' },
    { kind: 'suppressed', subject: '' },
    ...waits.map((node) => interestIn(node.for)),
    ...(goal !== null && 'happening' in goal ? [interestIn(goal.happening)] : []),
  ].map((each) => ({ ...each, enters: false }));
}

/** What makes people enter a drip. Those of the other triggers are found by the clock or named one by one. */
function entries({ start_trigger: trigger, trigger_settings: settings, subscription_list_id: listId }: Drip): Wanted[] {
  if (trigger === 'subscription_created') return [{ kind: 'joined', subject: String(listId), enters: true }];
  if (trigger !== 'form_submitted' || settings.form_id === undefined) return [];
  return [{ kind: 'form_submitted', subject: settings.form_id, enters: true }];
}

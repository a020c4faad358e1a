import { recordAct } from '../../../accounts/index.ts';
import type { SenderRule } from '../../../email/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Pause } from '../timing/pauses.ts';
import { type Drip, type DripState, selectDrips, updateDrip } from './drip.ts';
import { holdAlone } from './hold.ts';
import { setInterests, versionsInUse } from './interests.ts';
import { requireSenders } from './sends.ts';
import { cancelSends, pauseSends, resumeSends } from './steer-sends.ts';

interface Deps {
  clock: Clock;
  act: Act;
}

/** Keeps everybody where they are, and lets nobody enter. */
export async function pauseDrip(tx: Tx, { clock, act }: Deps, drip: Drip): Promise<Drip> {
  requireState(drip, ['running'], 'paused');
  const now = clock.now();
  const after = await updateDrip(tx, drip, { state: 'paused', paused_at: now, updated_at: now });
  await setInterests(tx, after, await versionsInUse(tx, after));
  await pauseSends(tx, clock, after);
  await recordAct(tx, clock, act, { target: String(drip.id) });
  return after;
}

/** Lets everybody go on, by what is to become of those who were due meanwhile. */
export async function resumeDrip(
  tx: Tx,
  { clock, act, senderRule }: Deps & { senderRule: SenderRule },
  drip: Drip,
  policy: Pause['policy'],
): Promise<Drip> {
  requireState(drip, ['paused'], 'resumed');
  await requireSenders(tx, senderRule, drip);
  const now = clock.now();
  const from = drip.paused_at ?? now;
  const to = now < from ? from : now; // clocks are put back now and then
  const pause: Pause = { from: from.toISOString(), to: to.toISOString(), policy };
  const after = await updateDrip(tx, drip, {
    state: 'running',
    pauses: JSON.stringify([...drip.pauses, pause]),
    paused_at: null,
    dates_seen_at: now,
    updated_at: now,
  });
  await setInterests(tx, after, await versionsInUse(tx, after));
  await resumeSends(tx, clock, after);
  await recordAct(tx, clock, act, { target: String(drip.id), details: { policy } });
  return after;
}

/** Ends a drip; whoever is on their way through it is let go. */
export async function completeDrip(tx: Tx, { clock, act }: Deps, drip: Drip): Promise<Drip> {
  requireState(drip, ['running', 'paused'], 'completed');
  const after = await end(tx, clock, drip);
  await recordAct(tx, clock, act, { target: String(drip.id) });
  return after;
}

/** Takes a drip away, once it has ended. */
export async function deleteDrip(tx: Tx, { clock, act }: Deps, drip: Drip): Promise<void> {
  const ended = drip.state === 'completed' ? drip : await end(tx, clock, drip);
  await updateDrip(tx, ended, { deleted_at: clock.now(), updated_at: clock.now() });
  await recordAct(tx, clock, act, { target: String(drip.id) });
}

/** Ends the drips on a list that goes away. */
export async function completeDripsOn(tx: Tx, { clock, act }: Deps, listId: number): Promise<void> {
  const onList = () =>
    selectDrips(tx)
      .where('customer_id', '=', act.customerId)
      .where('subscription_list_id', '=', listId)
      .where('state', '<>', 'completed')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
  for (const { id } of await onList()) await holdAlone(tx, id);
  for (const drip of await onList()) {
    await end(tx, clock, drip);
    await recordAct(tx, clock, { ...act, action: 'drip.completed' }, { target: String(drip.id) });
  }
}

async function end(tx: Tx, clock: Clock, drip: Drip): Promise<Drip> {
  const now = clock.now();
  const after = await updateDrip(tx, drip, {
    state: 'completed',
    ending: drip.state !== 'draft',
    completed_at: now,
    paused_at: null,
    updated_at: now,
  });
  await setInterests(tx, after, []);
  await cancelSends(tx, clock, after);
  return after;
}

function requireState({ state }: Drip, from: readonly DripState[], become: string): void {
  if (!from.includes(state)) throw new AppError('conflict', `A drip campaign that is ${state} cannot be ${become}`);
}

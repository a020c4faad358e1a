import { recordAct } from '../../../accounts/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { requireUsable } from './bind.ts';
import { bindingOf, type SaveDeps } from './create.ts';
import { type Drip, updateDrip } from './drip.ts';
import { setInterests, versionsInUse } from './interests.ts';
import { makeSends } from './sends.ts';
import { findVersion } from './version.ts';

/** Lets a share of newcomers go by a version, or all of them; none takes back what a share was given to try. */
export async function publishVersion(tx: Tx, deps: SaveDeps, drip: Drip, number: number, share: number): Promise<Drip> {
  const { clock, act } = deps;
  requireUnderWay(drip);
  const version = await findVersion(tx, drip, number);
  if (version.graph.first === null) throw new AppError('conflict', 'version: has no steps');
  if (share > 0) {
    await makeSends(tx, deps, drip, version);
    await requireUsable(tx, bindingOf(deps), version, 'version');
  }
  const after = await updateDrip(tx, drip, { ...newcomersBy(drip, number, share), updated_at: clock.now() });
  await setInterests(tx, after, await versionsInUse(tx, after));
  await recordAct(tx, clock, act, { target: String(drip.id), details: { version: number, share } });
  return after;
}

/** Throws unless people are on their way through a drip, or may be. */
export function requireUnderWay({ state }: Drip): void {
  if (state !== 'running' && state !== 'paused') {
    throw new AppError('conflict', `A drip campaign that is ${state} cannot be changed like that`);
  }
}

function newcomersBy({ live_version: live }: Drip, version: number, share: number) {
  const noTrial = { trial_version: null, trial_share: null };
  if (share === 100) return { live_version: version, ...noTrial };
  if (share === 0) return noTrial;
  if (version === live) throw new AppError('conflict', 'version: is what all newcomers get already');
  return { trial_version: version, trial_share: share };
}

import { recordAct } from '../../../accounts/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { bindGraph } from './bind.ts';
import { bindGoal } from './bind-test.ts';
import { bindTrigger } from './bind-trigger.ts';
import { resumeDrip } from './control.ts';
import { bindingOf, type SaveDeps } from './create.ts';
import { type Drip, updateDrip } from './drip.ts';
import { setInterests, versionsInUse } from './interests.ts';
import { makeSends } from './sends.ts';
import { addVersion, findVersion, sameSteps, type Version } from './version.ts';
import '../../tables.ts';

/** Lets people enter a draft by its newest steps and what these name by now, or lets a drip that rests go on. */
export async function startDrip(tx: Tx, deps: SaveDeps & { mode: 'live' | 'test' }, drip: Drip): Promise<Drip> {
  if (drip.state === 'paused') return resumeDrip(tx, deps, drip, 'catch_up');
  if (drip.state !== 'draft') throw new AppError('conflict', `A drip campaign that is ${drip.state} cannot be started`);
  const { clock, act, mode } = deps;
  await requireList(tx, drip);
  const newest = await findVersion(tx, drip, drip.version);
  requireWhole(drip, newest);
  const number = await bindAnew(tx, deps, drip, newest);
  const now = clock.now();
  const after = await updateDrip(tx, drip, {
    ...(await boundAround(tx, deps, drip)),
    state: 'running',
    mode,
    version: number,
    live_version: number,
    started_at: now,
    dates_seen_at: now,
    updated_at: now,
  });
  await makeSends(tx, deps, after, await findVersion(tx, after, number));
  await setInterests(tx, after, await versionsInUse(tx, after));
  await recordAct(tx, clock, act, { target: String(drip.id), details: { version: number } });
  return after;
}

/** Throws, naming what is missing, where a draft has left open what a drip cannot be without. */
function requireWhole(drip: Drip, { graph }: Version): void {
  const { start_trigger: trigger, trigger_settings: settings } = drip;
  const missing = [
    ...(graph.first === null ? ['steps'] : []),
    ...(trigger === 'form_submitted' && settings.form_id === undefined ? ['form_id'] : []),
    ...(trigger === 'date_field' && settings.date === undefined ? ['date'] : []),
  ];
  if (missing.length === 0) return;
  const fields = Object.fromEntries(missing.map((name) => [`drip_campaign.${name}`, ['is missing']]));
  throw new AppError('conflict', `A drip campaign without ${missing.join(' and ')} cannot be started`, { fields });
}

/** The number of the version that names everything as it is now: the newest, or one that is made of it. */
async function bindAnew(tx: Tx, deps: SaveDeps, drip: Drip, newest: Version): Promise<number> {
  const steps = { graph: newest.graph, bound: await bindGraph(tx, bindingOf(deps), newest.graph) };
  if (sameSteps(steps, newest)) return newest.version;
  await addVersion(tx, deps.clock, drip, newest.version + 1, steps);
  return newest.version + 1;
}

/** The trigger and the goal as they are understood now: a field may have become health data since. */
async function boundAround(tx: Tx, deps: SaveDeps, { start_trigger: trigger, trigger_settings, goal }: Drip) {
  const wished = { formId: trigger_settings.form_id ?? null, date: trigger_settings.date ?? null };
  const settings = await bindTrigger(tx, bindingOf(deps), trigger, wished);
  const bound = goal === null ? null : await bindGoal(tx, bindingOf(deps), goal);
  return { trigger_settings: JSON.stringify(settings), goal: bound === null ? null : JSON.stringify(bound) };
}

async function requireList(tx: Tx, { customer_id: customerId, subscription_list_id: listId }: Drip): Promise<void> {
  const list = await tx
    .selectFrom('subscription_lists')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', listId)
    .executeTakeFirst();
  if (list === undefined) throw new AppError('conflict', 'The list of the drip campaign is gone: it needs another');
}

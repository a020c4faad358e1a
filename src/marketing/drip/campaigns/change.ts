import { isDeepStrictEqual } from 'node:util';
import { recordAct } from '../../../accounts/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { requireOwnList } from '../../lists/require-own-list.ts';
import { bindGraph } from './bind.ts';
import { bindGoal } from './bind-test.ts';
import { bindTrigger, type WishedTrigger } from './bind-trigger.ts';
import { bindingOf, isYearly, LIST, type SaveDeps } from './create.ts';
import { type Drip, type TriggerSettings, updateDrip } from './drip.ts';
import { setInterests, versionsInUse } from './interests.ts';
import { datesToSeeAgain } from './look-again.ts';
import { nameSteps } from './name-steps.ts';
import { publishVersion } from './publish.ts';
import type { DripWish } from './read-drip.ts';
import { addVersion, findVersion, type Steps, sameSteps } from './version.ts';

/**
 * Changes a drip. Other steps are another version, which all newcomers get unless it is said otherwise; whoever is on
 * their way keeps to theirs.
 */
export async function changeDrip(tx: Tx, deps: SaveDeps, before: Drip, wish: DripWish): Promise<Drip> {
  const { clock, act, requireOwn } = deps;
  refuseFrozen(before, wish);
  if (wish.listId !== undefined) await requireOwnList(tx, requireOwn, act.customerId, wish.listId, LIST);
  const trigger = wish.startTrigger ?? before.start_trigger;
  const settings = saysTrigger(wish)
    ? await bindTrigger(tx, bindingOf(deps), trigger, wishedTrigger(wish, ofSame(trigger, before)))
    : before.trigger_settings;
  const steps = await newSteps(tx, deps, before, wish);
  const version = before.version + (steps === null ? 0 : 1);
  if (steps !== null) await addVersion(tx, clock, before, version, steps);
  const goal =
    wish.goal === undefined || wish.goal === null ? wish.goal : await bindGoal(tx, bindingOf(deps), wish.goal);
  const zone = wish.timeZone ?? before.time_zone;
  const after = await updateDrip(tx, before, {
    name: wish.name ?? before.name,
    subscription_list_id: wish.listId ?? before.subscription_list_id,
    start_trigger: trigger,
    trigger_settings: JSON.stringify(settings),
    reentry: wish.reentry ?? reentryBy(before, settings),
    ...(goal === undefined ? {} : { goal: goal === null ? null : JSON.stringify(goal) }),
    time_zone: zone,
    ...datesToSeeAgain(before, zone),
    ...senderOf(before, wish),
    version,
    updated_at: clock.now(),
  });
  await recordAct(tx, clock, act, { target: String(before.id), details: { version } });
  const share = wish.publishShare ?? 100;
  const isUnderWay = after.state === 'running' || after.state === 'paused';
  if (isUnderWay && steps !== null && share > 0) return publishVersion(tx, deps, after, version, share);
  if (isUnderWay && goal !== undefined) await setInterests(tx, after, await versionsInUse(tx, after));
  return after;
}

/** Steps that lead people otherwise than the newest version, or null where there are none. */
async function newSteps(tx: Tx, deps: SaveDeps, before: Drip, wish: DripWish): Promise<Steps | null> {
  const newest = await findVersion(tx, before, before.version);
  const isResent = before.state !== 'draft' && !isDeepStrictEqual(senderOf(before, wish), senderOf(before, {}));
  if (wish.steps === undefined && !isResent) return null;
  const graph = wish.steps === undefined ? newest.graph : await nameSteps(tx, before, wish.steps, newest.graph);
  if (before.state !== 'draft' && graph.first === null) throw frozen(before, 'steps', 'cannot be taken away');
  const bound = wish.steps === undefined ? newest.bound : await bindGraph(tx, bindingOf(deps), graph);
  // A send keeps to its sender, so that another sender is another version too.
  return isResent || !sameSteps({ graph, bound }, newest) ? { graph, bound } : null;
}

/** Throws where something would change that people already rely on. */
function refuseFrozen(before: Drip, wish: DripWish): void {
  const { state, trigger_settings: settings } = before;
  if (state === 'draft') return;
  const { number: _, ...date } = settings.date ?? { number: null };
  const changed = [
    wish.listId !== undefined && wish.listId !== before.subscription_list_id && 'subscription_list_id',
    wish.startTrigger !== undefined && wish.startTrigger !== before.start_trigger && 'start_trigger',
    wish.formId !== undefined && wish.formId !== (settings.form_id ?? null) && 'form_id',
    wish.date !== undefined && !isDeepStrictEqual(wish.date ?? {}, date) && 'date',
    state === 'completed' && wish.steps !== undefined && 'steps',
  ].find((name) => name !== false);
  if (changed !== undefined) throw frozen(before, changed, 'cannot be changed');
}

function frozen({ state }: Drip, name: string, rule: string): AppError {
  const field = `drip_campaign.${name}`;
  const told = `${rule} while the drip campaign is ${state}`;
  return new AppError('conflict', `${field}: ${told}`, { fields: { [field]: [told] } });
}

function saysTrigger(wish: DripWish): boolean {
  return wish.startTrigger !== undefined || wish.formId !== undefined || wish.date !== undefined;
}

function wishedTrigger({ formId, date }: DripWish, known: TriggerSettings): WishedTrigger {
  return {
    formId: formId === undefined ? (known.form_id ?? null) : formId,
    date: date === undefined ? (known.date ?? null) : date,
  };
}

/** What a trigger goes by so far, where it stays the same one. */
function ofSame(trigger: Drip['start_trigger'], before: Drip): TriggerSettings {
  return trigger === before.start_trigger ? before.trigger_settings : {};
}

/** A birthday comes again, and so do those who have one. */
function reentryBy(before: Drip, settings: TriggerSettings): Drip['reentry'] {
  return isYearly(settings) && !isYearly(before.trigger_settings) ? 'after_leaving' : before.reentry;
}

function senderOf(before: Drip, { senderEmail, fromName, replyTo }: DripWish) {
  return {
    sender_email: senderEmail === undefined ? before.sender_email : senderEmail,
    from_name: fromName === undefined ? before.from_name : fromName,
    reply_to: replyTo === undefined ? before.reply_to : replyTo,
  };
}

import { recordAct } from '../../../accounts/index.ts';
import type { SenderRule } from '../../../email/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import type { TargetRules } from '../../../platform/net/target-url.ts';
import { defaultListId } from '../../lists/default-list.ts';
import { requireOwnList } from '../../lists/require-own-list.ts';
import type { Graph } from '../graph/graph.ts';
import { type Binding, bindGraph } from './bind.ts';
import { bindGoal } from './bind-test.ts';
import { bindTrigger } from './bind-trigger.ts';
import { type Drip, selectDrips, type TriggerSettings } from './drip.ts';
import type { DripWish } from './read-drip.ts';
import { addVersion, type Steps } from './version.ts';
import '../tables.ts';

export interface SaveDeps {
  clock: Clock;
  act: Act;
  requireOwn: OwnershipCheck;
  targetRules: TargetRules;
  senderRule: SenderRule;
}

const NO_STEPS: Graph = { first: null, nodes: [] };
/** The field that names the list. */
export const LIST = 'drip_campaign.subscription_list_id';

/** Makes a draft. */
export async function createDrip(
  tx: Tx,
  deps: SaveDeps & { mode: 'live' | 'test' },
  wish: DripWish & { name: string },
): Promise<Drip> {
  const { clock, act, requireOwn } = deps;
  const { customerId } = act;
  const { startTrigger = 'subscription_created', steps, goal = null } = wish;
  const graph = steps?.graph ?? NO_STEPS;
  if (wish.listId !== undefined) await requireOwnList(tx, requireOwn, customerId, wish.listId, LIST);
  const settings = await bindTrigger(tx, bindingOf(deps), startTrigger, {
    formId: wish.formId ?? null,
    date: wish.date ?? null,
  });
  const draft = {
    name: wish.name,
    subscription_list_id: wish.listId ?? (await defaultListId(tx, clock, customerId)),
    start_trigger: startTrigger,
    trigger_settings: settings,
    reentry: wish.reentry ?? (isYearly(settings) ? 'after_leaving' : 'never'),
    goal: goal === null ? null : await bindGoal(tx, bindingOf(deps), goal),
    time_zone: wish.timeZone ?? 'UTC',
    sender_email: wish.senderEmail ?? null,
    from_name: wish.fromName ?? null,
    reply_to: wish.replyTo ?? null,
    mode: deps.mode,
  } as const;
  const bound = await bindGraph(tx, bindingOf(deps), graph);
  return addDraft(tx, { clock, act }, draft, { graph, bound });
}

type Draft = Pick<
  Drip,
  | 'name'
  | 'subscription_list_id'
  | 'start_trigger'
  | 'trigger_settings'
  | 'reentry'
  | 'goal'
  | 'time_zone'
  | 'sender_email'
  | 'from_name'
  | 'reply_to'
  | 'mode'
>;

/** Writes down a draft with its first version. */
export async function addDraft(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { trigger_settings: settings, goal, ...rest }: Draft,
  steps: Steps,
): Promise<Drip> {
  const { customerId } = act;
  const now = clock.now();
  const { id } = await tx
    .insertInto('drip_campaigns')
    .values({
      ...rest,
      customer_id: customerId,
      trigger_settings: JSON.stringify(settings),
      goal: goal === null ? null : JSON.stringify(goal),
      state: 'draft',
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addVersion(tx, clock, { id, customer_id: customerId }, 1, steps);
  await recordAct(tx, clock, act, { target: String(id), details: { version: 1 } });
  return selectDrips(tx).where('customer_id', '=', customerId).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Whose steps are bound, by who asks. */
export function bindingOf({ act, requireOwn, targetRules }: Omit<SaveDeps, 'clock' | 'senderRule'>): Binding {
  return { customerId: act.customerId, requireOwn, targetRules };
}

/** Whether a drip starts for the same people every year. */
export function isYearly({ date }: TriggerSettings): boolean {
  return date?.every === 'year';
}

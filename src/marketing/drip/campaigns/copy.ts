import type { Tx } from '../../../platform/db/database.ts';
import type { Graph } from '../graph/graph.ts';
import { bindGraph } from './bind.ts';
import { bindGoal } from './bind-test.ts';
import { addDraft, bindingOf, type SaveDeps } from './create.ts';
import type { Drip } from './drip.ts';
import { findVersion } from './version.ts';

const LONGEST_NAME = 255;

/** Makes a draft like a drip, with its newest steps, or with others, and what they name by now. */
export async function copyDrip(
  tx: Tx,
  deps: SaveDeps & { mode: 'live' | 'test' },
  drip: Drip,
  steps?: Graph,
): Promise<Drip> {
  const graph = steps ?? (await findVersion(tx, drip, drip.version)).graph;
  const bound = await bindGraph(tx, bindingOf(deps), graph);
  const draft = {
    name: `Copy of ${drip.name}`.slice(0, LONGEST_NAME).toWellFormed(),
    subscription_list_id: drip.subscription_list_id,
    start_trigger: drip.start_trigger,
    trigger_settings: drip.trigger_settings,
    reentry: drip.reentry,
    goal: drip.goal === null ? null : await bindGoal(tx, bindingOf(deps), drip.goal),
    time_zone: drip.time_zone,
    sender_email: drip.sender_email,
    from_name: drip.from_name,
    reply_to: drip.reply_to,
    mode: deps.mode,
  };
  return addDraft(tx, deps, draft, { graph, bound });
}

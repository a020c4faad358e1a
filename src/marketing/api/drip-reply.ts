import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import type { Drip, Goal, TriggerSettings } from '../drip/campaigns/drip.ts';
import { type ListedDrip, readListed } from '../drip/campaigns/list.ts';
import { findVersion } from '../drip/campaigns/version.ts';
import { outdatedSteps } from '../drip/campaigns/versions.ts';
import type { Graph } from '../drip/graph/graph.ts';
import { writeNodes, writeTree } from '../drip/graph/write-nodes.ts';
import { writeSteps } from '../drip/graph/write-steps.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { wireName } from '../segments/filters/fields.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Number = Type.Union([Type.Integer(), Type.Null()]);
const Time = Type.String({ format: 'date-time' });

const Listed = {
  name: Type.String(),
  subscription_list_id: Type.String(),
  subscription_list_name: Type.String({ description: 'Empty where the list has been deleted' }),
  state: Type.String({ description: 'draft, running, paused or completed' }),
  updated_at: Time,
  start_trigger: Type.String(),
  subscriber_count: Type.Integer({ description: 'How many ever entered' }),
  subscriber_completed_count: Type.Integer({ description: 'How many of them came to the end' }),
};

/** The steps in both of their views. */
export const STEPS = {
  steps: Type.Array(Type.Unknown()),
  drip_campaign_nodes: Type.String({ description: 'The same as JSON of nodes that name each other' }),
  drip_campaign_tree_blob: Type.String({ description: 'The same as JSON of nodes and edges' }),
};

export const ListedDripReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('drip_campaign'),
  attributes: Type.Object(Listed),
});

export const DripReply = Type.Object({
  data: Type.Object({
    id: Type.String(),
    type: Type.Literal('drip_campaign'),
    attributes: Type.Object({
      ...Listed,
      ...STEPS,
      outdated_steps: Type.Array(Type.String({ description: 'Steps whose mailing was changed since they were saved' })),
      trigger: Type.Object({
        form_id: Text,
        date: Type.Union([
          Type.Object({ field: Type.String(), every: Type.String(), days: Type.Integer(), time: Type.String() }),
          Type.Null(),
        ]),
      }),
      reentry: Type.String(),
      goal: Type.Unknown(),
      time_zone: Type.String(),
      sender_email: Text,
      from_name: Text,
      reply_to: Text,
      version: Type.Integer({ description: 'The newest' }),
      live_version: Type.Union([Type.Integer({ description: 'What newcomers go by' }), Type.Null()]),
      trial_version: Type.Union([Type.Integer({ description: 'What a share of them goes by instead' }), Type.Null()]),
      trial_share: Number,
      created_at: Time,
      started_at: Text,
      paused_at: Text,
      completed_at: Text,
    }),
  }),
});

/** A drip as lists show it. */
export function describeListed(drip: ListedDrip): Static<typeof ListedDripReply> {
  return { id: String(drip.id), type: 'drip_campaign', attributes: listedAttributes(drip) };
}

/** A drip with everything that is known of it. */
export async function describeDrip(tx: Tx, drip: Drip): Promise<Static<typeof DripReply>> {
  const { customer_id: customerId } = drip;
  const listed = await readListed(tx, customerId, drip.id);
  const newest = await findVersion(tx, drip, drip.version);
  const attributes = {
    ...listedAttributes(listed),
    ...describeSteps(newest.graph),
    outdated_steps: await outdatedSteps(tx, customerId, newest),
    trigger: await describeTrigger(tx, customerId, drip.trigger_settings),
    reentry: drip.reentry,
    goal: describeGoal(drip.goal),
    time_zone: drip.time_zone,
    sender_email: drip.sender_email,
    from_name: drip.from_name,
    reply_to: drip.reply_to,
    version: drip.version,
    live_version: drip.live_version,
    trial_version: drip.trial_version,
    trial_share: drip.trial_share,
    created_at: drip.created_at.toISOString(),
    started_at: drip.started_at?.toISOString() ?? null,
    paused_at: drip.paused_at?.toISOString() ?? null,
    completed_at: drip.completed_at?.toISOString() ?? null,
  };
  return { data: { id: String(drip.id), type: 'drip_campaign', attributes } };
}

/** The steps of a graph in both of their views. */
export function describeSteps(graph: Graph) {
  return {
    steps: writeSteps(graph),
    drip_campaign_nodes: writeNodes(graph),
    drip_campaign_tree_blob: writeTree(graph),
  };
}

/** Written out, as copying what is left of each takes most of the time of a list of thousands. */
function listedAttributes(drip: ListedDrip) {
  return {
    name: drip.name,
    subscription_list_id: String(drip.subscription_list_id),
    subscription_list_name: drip.subscription_list_name,
    state: drip.state,
    updated_at: drip.updated_at,
    start_trigger: drip.start_trigger,
    subscriber_count: drip.subscriber_count,
    subscriber_completed_count: drip.subscriber_completed_count,
  };
}

/** What starts a drip, under the name that its field has by now. */
async function describeTrigger(tx: Tx, customerId: number, { form_id: form, date }: TriggerSettings) {
  const formId = form ?? null;
  if (date === undefined) return { form_id: formId, date: null };
  const { number, ...settings } = date;
  const type =
    number === null ? undefined : (await listFieldTypes(tx, customerId)).find((each) => each.number === number);
  return { form_id: formId, date: type === undefined ? settings : { ...settings, field: wireName(type.name) } };
}

function describeGoal(goal: Goal | null): unknown {
  if (goal === null) return null;
  return 'test' in goal ? goal.test : goal.happening;
}

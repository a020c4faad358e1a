import type { Body, Reply } from '../../../api/client.ts';
import type { Happening, Step, Test } from './step.ts';
import { readSteps, readTest, writeSteps } from './wire-steps.ts';

/** A drip campaign as the server tells it. */
export type Drip = Reply<'readDripCampaign'>['data'];

export interface DateTrigger {
  field: string;
  every: string;
  days: number;
  time: string;
}

/** What a drip is to bring about: something that is true of somebody, or that happens to them. */
export type Goal = { test: Test } | { happening: Happening };

/** Everything of a drip that is written by people, as it stands in the editor. */
export interface Draft {
  name: string;
  subscription_list_id: string;
  start_trigger: string;
  form_id: string | null;
  date: DateTrigger | null;
  reentry: string;
  goal: Goal | null;
  time_zone: string;
  sender_email: string;
  from_name: string;
  reply_to: string;
  steps: Step[];
}

/** What is saved of a drip, made ready to be edited. */
export function draftOf({ attributes }: Drip): Draft {
  return {
    name: attributes.name,
    subscription_list_id: attributes.subscription_list_id,
    start_trigger: attributes.start_trigger,
    form_id: attributes.trigger.form_id,
    date: attributes.trigger.date,
    reentry: attributes.reentry,
    goal: readGoal(attributes.goal as Record<string, unknown> | null),
    time_zone: attributes.time_zone,
    sender_email: attributes.sender_email ?? '',
    from_name: attributes.from_name ?? '',
    reply_to: attributes.reply_to ?? '',
    steps: readSteps(attributes.steps),
  };
}

/** What of a draft has changed, as the server takes it. */
export function changesIn(draft: Draft, saved: Draft): Body<'updateDripCampaign'>['drip_campaign'] {
  const { steps, goal, ...rest } = draft;
  const plain = Object.entries(rest).filter(([name, value]) => !isSame(value, saved[name as keyof typeof rest]));
  return {
    ...Object.fromEntries(plain),
    ...(isSame(goal, saved.goal) ? {} : { goal: writeGoal(goal) }),
    ...(isSame(steps, saved.steps) ? {} : { steps: writeSteps(steps) }),
  };
}

/** Whether two drafts say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function readGoal(goal: Record<string, unknown> | null): Goal | null {
  if (goal === null) return null;
  return 'event' in goal ? { happening: goal as Happening } : { test: readTest(goal) };
}

function writeGoal(goal: Goal | null): unknown {
  if (goal === null) return null;
  return 'test' in goal ? goal.test : goal.happening;
}

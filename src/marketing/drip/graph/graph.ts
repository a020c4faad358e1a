import type { WireCondition } from '../../segments/filters/filters.ts';

/** How long something takes; minutes and hours by the clock, the rest by the calendar of whoever waits. */
export type Span = Partial<Record<'minutes' | 'hours' | 'days' | 'weeks' | 'months', number>>;

/** The next moment at which the clock of whoever waits shows a time, on one day of the week or on any. */
export interface Until {
  /** 1 for Monday to 7 for Sunday. */
  weekday?: number;
  /** Such as 09:00. */
  time: string;
}

/** Something that may happen to somebody, and what it is about. */
export type Happening =
  | { event: 'opened' | 'clicked'; campaign_mailing_id: string }
  /** Any form, where none is named. */
  | { event: 'form_submitted'; form_id?: string }
  | { event: 'joined' | 'left'; subscription_list_id: string }
  | { event: 'custom'; name: string };

/** Something that is true of somebody or not. */
export type Test =
  | WireCondition
  | { filters: WireCondition[][] }
  | { segment: string }
  | { opened: string }
  | { clicked: string };

interface Common {
  id: string;
}

/** A step that leads on to one other, or to the end where `next` is null. */
interface Onward extends Common {
  next: string | null;
}

/** A step that leads on in one of two ways. */
interface Fork extends Common {
  then: string | null;
  else: string | null;
}

export type EmailNode = Onward & { type: 'email'; campaign_mailing_id: string; subject?: string };
export type DelayNode = Onward & { type: 'delay' } & ({ span: Span } | { until: Until });
export type BranchNode = Fork & { type: 'branch'; if: Test };
/** `then` leads on once it happens, `else` when that takes longer than `timeout`. */
export type WaitNode = Fork & { type: 'wait'; for: Happening; timeout?: Span };
export type ListNode = Onward & { type: 'list' } & ({ add: string } | { remove: string });
export type FieldNode = Onward & { type: 'field'; name: string; value: string };
export type WebhookNode = Onward & { type: 'webhook'; url: string };
export type ExitNode = Common & { type: 'exit' };

/** One step of a drip, with where it leads. */
export type Node = EmailNode | DelayNode | BranchNode | WaitNode | ListNode | FieldNode | WebhookNode | ExitNode;

export type NodeType = Node['type'];

/** The steps of a drip. What is kept of a version, and what the engine goes by. */
export interface Graph {
  /** Where everybody begins; null where there is no step yet. */
  first: string | null;
  /** In the order in which they were written. */
  nodes: Node[];
}

/** A graph as it was sent. */
export interface SentGraph {
  graph: Graph;
  /** The steps that were given no id, by the ones that were made up for them. */
  unnamed: ReadonlySet<string>;
}

/** How large a drip may be. */
export const MOST_STEPS = 500;
export const DEEPEST = 20;

export const UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type Unit = (typeof UNITS)[number];

/** How long something takes. */
export type Span = Partial<Record<Unit, number>>;

/** The next moment at which somebody's clock shows a time, on one day of the week (1 is Monday) or on any. */
export interface Until {
  weekday?: number;
  time: string;
}

/** Something that may happen to somebody. */
export type Happening =
  | { event: 'opened' | 'clicked'; campaign_mailing_id: string }
  /** Any form, where none is named; empty until one is chosen. */
  | { event: 'form_submitted'; form_id?: string }
  | { event: 'joined' | 'left'; subscription_list_id: string }
  | { event: 'custom'; name: string };

/** One condition on a person. */
export interface Condition {
  field: string;
  op: string;
  terms: string[];
}

/** Something that is true of somebody or not; whoever fits every condition of one of the groups fits `filters`. */
export type Test = { filters: Condition[][] } | { segment: string } | { opened: string } | { clicked: string };

export interface EmailStep {
  id: string;
  type: 'email';
  /** Empty until one is chosen. */
  campaign_mailing_id: string;
  subject?: string;
}
export interface DelayStep {
  id: string;
  type: 'delay';
  delay: { span: Span } | { until: Until };
}
export interface BranchStep {
  id: string;
  type: 'branch';
  if: Test;
  then: Step[];
  else: Step[];
}
export interface WaitStep {
  id: string;
  type: 'wait';
  for: Happening;
  /** Without it they wait for as long as it takes, and nobody goes by `else`. */
  timeout: Span | null;
  then: Step[];
  else: Step[];
}
export interface ListStep {
  id: string;
  type: 'list';
  change: 'add' | 'remove';
  list: string;
}
export interface FieldStep {
  id: string;
  type: 'field';
  name: string;
  value: string;
}
export interface WebhookStep {
  id: string;
  type: 'webhook';
  url: string;
}
export interface ExitStep {
  id: string;
  type: 'exit';
}
/** Leads to another step, or to the end where that is null. Its id is the editor's alone. */
export interface GotoStep {
  id: string;
  type: 'goto';
  step: string | null;
}

/** A step as it is edited: everything that it has stands in it, what is not chosen yet is empty. */
export type Step =
  | EmailStep
  | DelayStep
  | BranchStep
  | WaitStep
  | ListStep
  | FieldStep
  | WebhookStep
  | ExitStep
  | GotoStep;

export type Fork = BranchStep | WaitStep;
export type StepKind = Step['type'];
export type Arm = 'then' | 'else';

export const STEP_KINDS: readonly StepKind[] = [
  'email',
  'delay',
  'wait',
  'branch',
  'list',
  'field',
  'webhook',
  'goto',
  'exit',
];

/** Whether a step leads on in ways that hold steps of their own. */
export function isFork(step: Step): step is Fork {
  return step.type === 'branch' || step.type === 'wait';
}

/** The ways in which a fork leads on; whoever waits for as long as it takes has only one. */
export function armsOf(fork: Fork): readonly Arm[] {
  return fork.type === 'wait' && fork.timeout === null ? ['then'] : ['then', 'else'];
}

/** A step of a kind with nothing chosen yet that cannot be guessed. */
export function blankStep(kind: StepKind, id: string): Step {
  switch (kind) {
    case 'email':
      return { id, type: kind, campaign_mailing_id: '' };
    case 'delay':
      return { id, type: kind, delay: { span: { days: 3 } } };
    case 'branch':
      return { id, type: kind, if: { segment: '' }, then: [], else: [] };
    case 'wait':
      return {
        id,
        type: kind,
        for: { event: 'opened', campaign_mailing_id: '' },
        timeout: { days: 3 },
        then: [],
        else: [],
      };
    case 'list':
      return { id, type: kind, change: 'add', list: '' };
    case 'field':
      return { id, type: kind, name: '', value: '' };
    case 'webhook':
      return { id, type: kind, url: '' };
    case 'exit':
      return { id, type: kind };
    case 'goto':
      break;
  }
  return { id, type: kind, step: null };
}

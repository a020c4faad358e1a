/** Somebody who is due, and what is known of them at this moment. */
export interface Traveller {
  id: string;
  subscriber_id: string;
  version: number;
  step: string;
  inside: boolean;
  woken: boolean;
  due_at: Date;
  pauses: number;
  entered_at: Date;
  exists: boolean;
  email: string | null;
  time_zone: string | null;
  opted_out: boolean;
  /** How they stand with the list of the drip; null where they were never on it. */
  subscribed: boolean | null;
}

/** Where a traveller has got to. */
export interface Walker {
  person: Traveller;
  step: string;
  /** Whether they have waited inside the step, and whether what they waited for has happened. */
  inside: boolean;
  woken: boolean;
  /** The time as far as they are concerned: the present, or a time in a pause that they live through without mails. */
  at: Date;
  skipUntil: Date | null;
}

/** Why somebody leaves a drip before its end. */
export type Leaving =
  | 'exit_step'
  | 'goal'
  | 'unsubscribed'
  | 'left_list'
  | 'bounced'
  | 'suppressed'
  | 'deleted'
  | 'removed'
  | 'drip_completed';

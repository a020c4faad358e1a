import type { Reentry } from '../../../src/marketing/drip/campaigns/drip.ts';
import type { Graph } from '../../../src/marketing/drip/graph/graph.ts';
import type { Pause } from '../../../src/marketing/drip/timing/pauses.ts';

export type Policy = Pause['policy'];
export type Suppression = 'hard_bounce' | 'manual' | 'opt_out';

export interface Person {
  id: string;
  email: string;
  zone: string | null;
  exists: boolean;
  optedOut: boolean;
  /** The lists that they are on, and those that they have left. */
  lists: Map<string, 'on' | 'left'>;
  fields: Map<string, string>;
  knownSince: number;
}

export interface Visit {
  step: string;
  visit: number;
  at: number;
  outcome: string | null;
  mailed: boolean;
}

/** One way of somebody through a drip. */
export interface Enrolment {
  person: Person;
  rotation: number;
  version: number;
  state: 'active' | 'completed' | 'exited';
  reason: string | null;
  step: string;
  inside: boolean;
  woken: boolean;
  due: number | null;
  /** Up to when they live through a pause without mails. */
  skipUntil: number | null;
  enteredAt: number;
  path: Visit[];
}

export interface Drip {
  id: string;
  list: string;
  trigger: 'subscription_created' | 'manual';
  reentry: Reentry;
  zone: string;
  /** Whom it lets go: whoever does something, whoever has a field at a value, or nobody. */
  goal: 'event' | 'field' | null;
  /** The field that its branches ask for and its steps set. */
  field: string;
  state: 'draft' | 'running' | 'paused' | 'completed';
  pausedAt: number;
  /** By number, from 1 on. */
  versions: Graph[];
  live: number;
  trial: { version: number; share: number } | null;
  enrolments: Enrolment[];
  /** Whether it was resumed and nobody has yet lived through the pause. */
  hasToSettle: boolean;
  /** Between which shares of a hundred somebody lies, as far as that is known. */
  buckets: Map<Person, { above: number; below: number }>;
  /** How many each step let on, by version and step. */
  passed: Map<string, number>;
}

/** Something that happened and that the drips have yet to deal with. */
export type Fact =
  | { kind: 'enter'; drip: Drip; person: Person; at: number }
  | { kind: 'joined' | 'left'; list: string; person: Person; at: number }
  | { kind: 'custom'; name: string; person: Person; at: number }
  | { kind: 'opted_out' | 'deleted'; person: Person }
  | { kind: 'suppressed'; email: string; reason: Suppression };

/** Everything that there is. */
export interface State {
  now: number;
  people: Person[];
  suppressed: Map<string, Set<Suppression>>;
  drips: Drip[];
  facts: Fact[];
}

export function reasonsAgainst(state: State, email: string): Set<Suppression> {
  const known = state.suppressed.get(email) ?? new Set();
  state.suppressed.set(email, known);
  return known;
}

/** Why somebody leaves whose address is suppressed for these reasons; the first by name counts. */
export function leavingBy(reasons: Iterable<Suppression>): string | null {
  const [first] = [...reasons].toSorted();
  if (first === undefined) return null;
  return { hard_bounce: 'bounced', manual: 'suppressed', opt_out: 'unsubscribed' }[first];
}

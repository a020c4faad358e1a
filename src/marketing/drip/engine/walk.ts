import type { Node } from '../graph/graph.ts';
import type { Pause } from '../timing/pauses.ts';
import { takeStep } from './steps/take-step.ts';
import type { Leg, Mail, Turn } from './steps/turn.ts';
import type { Leaving, Traveller, Walker } from './traveller.ts';

/** So that a transaction ends soon, whatever the steps: whoever has further to go goes on in the next. */
const MOST_WAVES = 50;

/** A step that somebody came to. */
export interface Visit {
  enrolmentId: string;
  subscriberId: string;
  step: string;
  at: Date;
  outcome: string | null;
  mail: Mail | null;
  calls: boolean;
}

/** Where somebody stands after this turn of theirs. */
export interface Standing {
  person: Traveller;
  state: 'active' | 'completed' | 'exited';
  reason: Leaving | null;
  step: string;
  inside: boolean;
  dueAt: Date | null;
  /** How many pauses of the drip are reckoned with in `dueAt`. */
  pauses: number;
}

/** What became of people who went as far as they could. */
export interface Walk {
  standings: Standing[];
  visits: Visit[];
  /** What came of waiting that is over. */
  outcomes: { enrolmentId: string; step: string; outcome: string }[];
  /** How many people each step let on. */
  passed: Map<string, number>;
}

/** Lets people who go by one version go on, step by step and all together, until each of them waits or is done. */
export async function walk(leg: Leg, walkers: Walker[]): Promise<Walk> {
  const walked: Walk = { standings: [], visits: [], outcomes: [], passed: new Map() };
  let moving = walkers;
  for (let wave = 0; wave < MOST_WAVES && moving.length > 0; wave += 1) {
    const next: Walker[] = [];
    for (const [step, together] of Map.groupBy(moving, (walker) => walker.step)) {
      const node = leg.version.nodes.get(step) as Node;
      const turns = await takeStep(leg, node, together);
      turns.forEach((turn, index) => {
        const walker = together[index] as Walker;
        note(walked, walker, turn);
        const goesOn = settle(leg, walked, walker, turn);
        if (goesOn !== null) next.push(goesOn);
      });
    }
    moving = next;
  }
  for (const walker of moving) walked.standings.push(stopped(leg, walker));
  return walked;
}

function note(walked: Walk, { person, step, inside, at }: Walker, turn: Turn): void {
  const { outcome = null, mail = null, calls = false } = turn;
  const enrolmentId = person.id;
  if (!inside) {
    walked.visits.push({ enrolmentId, subscriberId: person.subscriber_id, step, at, outcome, mail, calls });
  } else if (outcome !== null) walked.outcomes.push({ enrolmentId, step, outcome });
}

/** Writes down where a turn leaves somebody; answers who goes on. */
function settle(leg: Leg, walked: Walk, walker: Walker, turn: Turn): Walker | null {
  const { person, step, at, skipUntil } = walker;
  const pauses = leg.drip.pauses.length;
  const here = { person, step, reason: null, inside: false, dueAt: null, pauses };
  if ('leave' in turn) {
    walked.standings.push({ ...here, state: 'exited', reason: turn.leave });
    return null;
  }
  if ('rest' in turn) {
    walked.standings.push({ ...here, state: 'active', inside: true, dueAt: turn.rest });
    return null;
  }
  walked.passed.set(step, (walked.passed.get(step) ?? 0) + 1);
  if (turn.to === null) {
    walked.standings.push({ ...here, state: 'completed' });
    return null;
  }
  return { person, step: turn.to, inside: false, woken: false, at: turn.at ?? at, skipUntil };
}

/** Somebody with further to go than one transaction takes them; in a pause that they live through, they stay in it. */
function stopped({ drip }: Leg, { person, step, at, skipUntil }: Walker): Standing {
  const pauses = skipUntil === null ? drip.pauses.length : drip.pauses.findIndex((each) => isSkipping(each, skipUntil));
  return { person, state: 'active', reason: null, step, inside: false, dueAt: at, pauses };
}

function isSkipping({ policy, to }: Pause, until: Date): boolean {
  return policy === 'skip_overdue' && to === until.toISOString();
}

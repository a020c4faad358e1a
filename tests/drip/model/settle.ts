import type { Happening } from '../../../src/marketing/drip/graph/graph.ts';
import { type Drip, type Enrolment, type Fact, leavingBy, type Person, reasonsAgainst, type State } from './state.ts';
import { activeIn, enter, exit, graphOf, nodeOf, type VersionOf } from './steering.ts';
import { walk } from './walk.ts';

/** Deals with everything that happened and with everybody who is due, until nothing is left to do. */
export function settle(state: State, versionOf: VersionOf): void {
  for (const drip of state.drips) drip.hasToSettle = false;
  for (;;) {
    for (let fact = state.facts.shift(); fact !== undefined; fact = state.facts.shift())
      dealWith(state, fact, versionOf);
    for (const drip of state.drips.filter((each) => each.state === 'completed')) {
      for (const enrolment of activeIn(drip)) exit(enrolment, 'drip_completed');
    }
    const due = allActive(state).filter(([drip, each]) => drip.state === 'running' && isDue(state, each));
    if (due.length === 0 && state.facts.length === 0) return;
    for (const [drip, enrolment] of due) {
      const reason = reasonToLeave(state, drip, enrolment.person);
      if (reason !== null) exit(enrolment, reason);
      else walk(state, drip, enrolment);
    }
  }
}

/** When the next of all who wait is due. */
export function nextDue(state: State): number | null {
  const running = allActive(state).filter(([drip]) => drip.state === 'running');
  const times = running.flatMap(([, { due }]) => (due === null || due <= state.now ? [] : [due]));
  return times.length === 0 ? null : Math.min(...times);
}

function allActive(state: State): [Drip, Enrolment][] {
  return state.drips.flatMap((drip) => activeIn(drip).map((each): [Drip, Enrolment] => [drip, each]));
}

function isDue({ now }: State, { due }: Enrolment): boolean {
  return due !== null && due <= now;
}

function dealWith(state: State, fact: Fact, versionOf: VersionOf): void {
  if (fact.kind === 'enter') {
    const { drip, person, at } = fact;
    if (drip.state === 'running' || drip.state === 'paused') enter(state, drip, person, at, versionOf);
    return;
  }
  for (const [drip, enrolment] of allActive(state)) {
    const reason = exitBy(state, drip, enrolment.person, fact);
    if (reason !== null) exit(enrolment, reason);
    else if ('person' in fact && fact.person === enrolment.person && waitsFor(drip, enrolment, fact)) {
      Object.assign(enrolment, { woken: true, due: state.now, skipUntil: null });
    }
  }
}

/** What a fact ends somebody's way for, if it does. */
function exitBy(state: State, drip: Drip, person: Person, fact: Fact): string | null {
  if (fact.kind === 'suppressed') {
    const stillHolds = reasonsAgainst(state, fact.email).has(fact.reason);
    return person.exists && person.email === fact.email && stillHolds ? leavingBy([fact.reason]) : null;
  }
  if (fact.person !== person) return null;
  if (fact.kind === 'left') return fact.list === drip.list ? 'left_list' : null;
  if (fact.kind === 'opted_out') return 'unsubscribed';
  if (fact.kind === 'custom') return drip.goal === 'event' && fact.name === 'won' ? 'goal' : null;
  return fact.kind === 'deleted' ? 'deleted' : null;
}

/** Why somebody who is due goes no further. */
function reasonToLeave(state: State, drip: Drip, person: Person): string | null {
  if (!person.exists) return 'deleted';
  if (person.optedOut) return 'unsubscribed';
  if (person.lists.get(drip.list) !== 'on') return 'left_list';
  const isThere = drip.goal === 'field' && person.fields.get(drip.field) === 'won';
  return leavingBy(reasonsAgainst(state, person.email)) ?? (isThere ? 'goal' : null);
}

/** Who is about to wait is meant as well as who waits, but not by what they entered by. */
function waitsFor(drip: Drip, { version, step, inside, woken, enteredAt }: Enrolment, fact: Fact): boolean {
  const node = nodeOf(graphOf(drip, version), step);
  const isThere = inside || ('at' in fact && fact.at > enteredAt);
  return isThere && !woken && node.type === 'wait' && isWhat(node.for, fact);
}

function isWhat(awaited: Happening, fact: Fact): boolean {
  if (awaited.event === 'custom') return fact.kind === 'custom' && fact.name === awaited.name;
  if (awaited.event !== 'joined' && awaited.event !== 'left') return false;
  return fact.kind === awaited.event && fact.list === awaited.subscription_list_id;
}

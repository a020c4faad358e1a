import { waysAmong } from '../../../src/marketing/drip/graph/graph.examples.ts';
import type { Graph, Node } from '../../../src/marketing/drip/graph/graph.ts';
import { later, next } from './calendar.ts';
import { join, leaveList } from './people.ts';
import type { Drip, Enrolment, State, Visit } from './state.ts';
import { exit, graphOf, nodeOf } from './steering.ts';

/** What a step does to somebody: they go on, at a time of their own, or they rest. */
type Turn = { to: string | null; at?: number; outcome?: string; mailed?: boolean } | { rest: number | null } | 'exit';

/** Somebody goes on, step by step, until they rest or are done. */
export function walk(state: State, drip: Drip, enrolment: Enrolment): void {
  const graph = graphOf(drip, enrolment.version);
  // Who lives through a pause does so on a time of their own.
  let at = enrolment.skipUntil === null ? state.now : (enrolment.due as number);
  for (;;) {
    const node = nodeOf(graph, enrolment.step);
    const visit = enrolment.inside ? lastVisit(enrolment) : comeTo(graph, enrolment, at);
    const turn = take(state, drip, enrolment, node, at);
    if (turn === 'exit') return exit(enrolment, 'exit_step');
    if ('rest' in turn) {
      Object.assign(enrolment, { inside: true, woken: false, due: turn.rest, skipUntil: null });
      return;
    }
    if (visit !== null && turn.outcome !== undefined) visit.outcome = turn.outcome;
    if (visit !== null && turn.mailed) visit.mailed = true;
    const key = `${enrolment.version}/${node.id}`;
    drip.passed.set(key, (drip.passed.get(key) ?? 0) + 1);
    Object.assign(enrolment, { inside: false, woken: false });
    if (turn.to === null) {
      Object.assign(enrolment, { state: 'completed', due: null, skipUntil: null });
      return;
    }
    enrolment.step = turn.to;
    at = turn.at ?? at;
  }
}

/** Writes down that somebody came to a step. Only in a loop can that be more than once: all else is done once. */
function comeTo(graph: Graph, { path, step }: Enrolment, at: number): Visit | null {
  const before = path.filter((each) => each.step === step).length;
  if (before > 0 && !isInLoop(graph, step)) return null;
  const visit = { step, visit: before + 1, at, outcome: null, mailed: false };
  path.push(visit);
  return visit;
}

function isInLoop({ nodes }: Graph, step: string): boolean {
  const index = nodes.findIndex(({ id }) => id === step);
  return waysAmong(nodes)[index]?.[index] === true;
}

/** What is noted once waiting is over belongs to the last time that they came to the step. */
function lastVisit({ path, step }: Enrolment): Visit | null {
  return path.findLast((each) => each.step === step) ?? null;
}

function take(state: State, drip: Drip, enrolment: Enrolment, node: Node, at: number): Turn {
  const { person, inside, woken, skipUntil } = enrolment;
  const zone = person.zone ?? drip.zone;
  const isSkipped = (time: number) => skipUntil !== null && time <= skipUntil;
  switch (node.type) {
    case 'email':
      return isSkipped(at) ? { to: node.next, outcome: 'skipped' } : { to: node.next, mailed: true };
    case 'delay': {
      if (inside) return { to: node.next };
      const over = 'span' in node ? later(at, node.span, zone) : next(at, node.until, zone);
      return isSkipped(over) ? { to: node.next, at: over } : { rest: over };
    }
    case 'branch': {
      const fits = 'terms' in node.if && person.fields.get(drip.field) === node.if.terms[0];
      return fits ? { to: node.then, outcome: 'then' } : { to: node.else, outcome: 'else' };
    }
    case 'wait': {
      if (woken) return { to: node.then, outcome: 'then' };
      if (inside) return { to: node.else, outcome: 'else' };
      if (node.timeout === undefined) return { rest: null };
      const over = later(at, node.timeout, zone);
      return isSkipped(over) ? { to: node.else, at: over, outcome: 'else' } : { rest: over };
    }
    case 'list':
      if ('add' in node) join(state, person, node.add, false);
      else leaveList(state, person, node.remove);
      return { to: node.next };
    case 'field':
      person.fields.set(node.name, node.value);
      return { to: node.next };
    case 'webhook':
      return { to: node.next };
    case 'exit':
    default:
      return 'exit';
  }
}

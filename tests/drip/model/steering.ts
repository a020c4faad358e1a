import assert from 'node:assert/strict';
import type { Graph, Node } from '../../../src/marketing/drip/graph/graph.ts';
import type { Drip, Enrolment, Person, Policy, State } from './state.ts';

/** Which version somebody got who entered: the drip says so where a share of people tries another. */
export type VersionOf = (drip: Drip, person: Person, rotation: number) => number | undefined;

export function nodeOf(graph: Graph, id: string): Node {
  const node = graph.nodes.find((each) => each.id === id);
  assert.ok(node, `there is a step ${id}`);
  return node;
}

export function graphOf(drip: Drip, version: number): Graph {
  return drip.versions[version - 1] as Graph;
}

export function activeIn(drip: Drip): Enrolment[] {
  return drip.enrolments.filter(({ state }) => state === 'active');
}

/** Somebody enters a drip, if they may; answers whether they did. */
export function enter(state: State, drip: Drip, person: Person, at: number, versionOf: VersionOf): boolean {
  const before = drip.enrolments.filter((each) => each.person === person);
  if (!person.exists || person.optedOut || person.lists.get(drip.list) !== 'on') return false;
  if (drip.reentry === 'never' && before.length > 0) return false;
  if (drip.reentry === 'after_leaving' && before.some((each) => each.state === 'active')) return false;
  const rotation = before.length + 1;
  const version = drip.trial === null ? drip.live : (versionOf(drip, person, rotation) ?? drip.live);
  assert.ok([drip.live, drip.trial?.version].includes(version), `version ${version} is for newcomers`);
  noteBucket(drip, person, version);
  drip.enrolments.push({
    person,
    rotation,
    version,
    state: 'active',
    reason: null,
    step: graphOf(drip, version).first as string,
    inside: false,
    woken: false,
    due: at,
    skipUntil: null,
    enteredAt: at,
    path: [],
  });
  return true;
}

/** Whoever tries a version with a share of people does so with every larger share, and the other way round. */
function noteBucket({ trial, live, buckets }: Drip, person: Person, version: number): void {
  if (trial === null || trial.version === live) return;
  const { above, below } = buckets.get(person) ?? { above: 0, below: 100 };
  const narrower =
    version === trial.version
      ? { above, below: Math.min(below, trial.share) }
      : { above: Math.max(above, trial.share), below };
  assert.ok(narrower.above < narrower.below, 'the share that somebody falls into stays the same');
  buckets.set(person, narrower);
}

export function exit(enrolment: Enrolment, reason: string): void {
  Object.assign(enrolment, { state: 'exited', reason, inside: false, woken: false, due: null, skipUntil: null });
}

/** Starts a draft; whoever is on its list already enters if they are to. */
export function start(state: State, drip: Drip, existing: boolean): void {
  drip.state = 'running';
  drip.live = drip.versions.length;
  if (!existing) return;
  for (const person of state.people) {
    const isOn = person.exists && !person.optedOut && person.lists.get(drip.list) === 'on';
    if (isOn && person.knownSince <= state.now) state.facts.push({ kind: 'enter', drip, person, at: state.now });
  }
}

export function pause(state: State, drip: Drip): void {
  drip.state = 'paused';
  drip.pausedAt = state.now;
}

export function resume(state: State, drip: Drip, policy: Policy): void {
  drip.state = 'running';
  drip.hasToSettle = policy === 'skip_overdue';
  const [from, to] = [drip.pausedAt, Math.max(drip.pausedAt, state.now)];
  for (const enrolment of activeIn(drip)) {
    if (enrolment.due === null || enrolment.due <= from) continue;
    if (policy === 'shift' && !enrolment.woken) enrolment.due += to - from;
    if (policy === 'skip_overdue' && enrolment.due <= to) enrolment.skipUntil = to;
  }
}

/** Other steps are another version, for a share of newcomers. */
export function change(drip: Drip, graph: Graph, share: number): void {
  drip.versions.push(graph);
  if (drip.state === 'running' || drip.state === 'paused') publish(drip, drip.versions.length, share, share > 0);
}

export function publish(drip: Drip, version: number, share: number, isMeant = true): void {
  if (!isMeant) return;
  if (share === 100) drip.live = version;
  drip.trial = share === 0 || share === 100 ? null : { version, share };
}

/** How long a step lets people wait, to be compared. */
function waitIn(node: Node): string {
  if (node.type === 'delay') return JSON.stringify('span' in node ? node.span : node.until);
  return node.type === 'wait' ? JSON.stringify(node.timeout ?? null) : 'null';
}

/** Takes people of older versions over to a newer one; answers false, and moves nobody, where somebody would be lost. */
export function move(state: State, drip: Drip, to: number, said: Record<string, string>): boolean {
  const movers = activeIn(drip).filter(({ version }) => version < to);
  const places = movers.map(({ version, step }) => {
    const here = nodeOf(graphOf(drip, version), step);
    const same = graphOf(drip, to).nodes.find(({ id, type }) => id === here.id && type === here.type);
    return said[step] ?? same?.id;
  });
  if (places.includes(undefined)) return false;
  movers.forEach((enrolment, index) => {
    const isSaid = said[enrolment.step] !== undefined;
    const before = nodeOf(graphOf(drip, enrolment.version), enrolment.step);
    Object.assign(enrolment, { version: to, step: places[index] });
    const after = nodeOf(graphOf(drip, to), enrolment.step);
    const isAnew = enrolment.inside && !enrolment.woken && waitIn(before) !== waitIn(after);
    if (isSaid || isAnew) Object.assign(enrolment, { inside: false, woken: false, due: state.now, skipUntil: null });
  });
  return true;
}

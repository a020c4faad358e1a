import { AppError } from '../../../platform/errors.ts';
import type { Graph } from './graph.ts';
import { followersOf, linksOf, nodeById } from './links.ts';
import { stepsInLoopsOf } from './loops.ts';

/** The refusal of a drip that is written well and cannot be run. */
export function graphFault(place: string, rule: string): AppError {
  return new AppError('unprocessable', `${place}: ${rule}`, { fields: { [place]: [rule] } });
}

/** Throws unless every step can be come to, leads to steps that exist, and nobody can run in circles. */
export function checkGraph(place: string, graph: Graph): void {
  requireKnownLinks(place, graph);
  requireReachable(place, graph);
  requireRests(place, graph);
}

function requireKnownLinks(place: string, graph: Graph): void {
  const byId = nodeById(graph);
  if (graph.first !== null && !byId.has(graph.first)) {
    throw graphFault(place, 'begins with a step that does not exist');
  }
  const lost = graph.nodes.find((node) => linksOf(node).some((to) => to !== null && !byId.has(to)));
  if (lost !== undefined) throw graphFault(place, `step ${lost.id} leads to a step that does not exist`);
}

function requireReachable(place: string, graph: Graph): void {
  const byId = nodeById(graph);
  const reached = new Set<string>();
  const ahead = graph.first === null ? [] : [graph.first];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = byId.get(id);
    if (node === undefined || reached.has(id)) continue;
    reached.add(id);
    ahead.push(...followersOf(node));
  }
  const stray = graph.nodes.find(({ id }) => !reached.has(id));
  if (stray !== undefined) throw graphFault(place, `nothing leads to step ${stray.id}`);
}

/** Whoever goes round a loop must come to rest in it, or they would go round without end in no time. */
function requireRests(place: string, { nodes }: Graph): void {
  const restless = stepsInLoopsOf(nodes.filter(({ type }) => type !== 'delay' && type !== 'wait'));
  const found = nodes.find(({ id }) => restless.has(id));
  if (found !== undefined) throw graphFault(place, `step ${found.id} lies in a loop without a delay or a wait`);
}

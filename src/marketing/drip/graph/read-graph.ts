import { invalidField } from '../../../platform/errors.ts';
import { checkGraph } from './check-graph.ts';
import type { Graph, SentGraph } from './graph.ts';
import { sameGraph } from './make-graph.ts';
import { nameMails } from './name-mails.ts';
import { readNodes } from './read-nodes.ts';
import { readSteps } from './read-steps.ts';

/** The views of a graph as they are sent. Each may be JSON in a text. */
export interface WireGraph {
  steps?: unknown;
  drip_campaign_nodes?: unknown;
  drip_campaign_tree_blob?: unknown;
}

/** How much a graph may hold in all, as JSON of its nodes. */
const LONGEST = 1_500_000;
/** Longer than any view of such a graph is as a text. */
const LONGEST_WRITTEN = 2_000_000;

/** Nodes always have an id. */
const readNamed = (place: string, view: unknown): SentGraph => ({ graph: readNodes(place, view), unnamed: new Set() });

const VIEWS = [
  { name: 'steps', read: readSteps },
  { name: 'drip_campaign_nodes', read: readNamed },
  { name: 'drip_campaign_tree_blob', read: readNamed },
] as const;

/** The graph in whichever view is given, and undefined where none is; several must show the same one. */
export function readGraph(wire: WireGraph): Graph | undefined {
  return readSentGraph(wire)?.graph;
}

/** The same, with the steps that no view gives an id. */
export function readSentGraph(wire: WireGraph): SentGraph | undefined {
  const graphs = VIEWS.flatMap(({ name, read }) => {
    const place = `drip_campaign.${name}`;
    const view = parseView(place, wire[name]);
    return view === undefined ? [] : [{ place, ...check(place, read(place, view)) }];
  });
  const [one, ...others] = graphs;
  const odd = others.find(({ graph }) => one !== undefined && !sameGraph(one.graph, graph));
  if (odd !== undefined) throw invalidField(odd.place, `shows other steps than ${one?.place}`);
  return one && { graph: one.graph, unnamed: others.length === 0 ? one.unnamed : new Set() };
}

function parseView(place: string, wire: unknown): unknown {
  const value = typeof wire === 'string' ? parseText(place, wire) : wire;
  return value ?? undefined;
}

function parseText(place: string, text: string): unknown {
  if (text.length > LONGEST_WRITTEN) throw invalidField(place, `takes at most ${LONGEST_WRITTEN} characters`);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(place, 'takes JSON');
  }
}

function check(place: string, sent: SentGraph): SentGraph {
  checkGraph(place, sent.graph);
  const graph = nameMails(place, sent.graph);
  if (JSON.stringify(graph.nodes).length > LONGEST)
    throw invalidField(place, `takes at most ${LONGEST} characters in all`);
  return { ...sent, graph };
}

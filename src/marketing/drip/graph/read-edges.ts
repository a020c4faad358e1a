import { invalidField } from '../../../platform/errors.ts';
import { addLink, type ReadNode } from './add-link.ts';
import { graphFault } from './check-graph.ts';
import { MOST_STEPS } from './graph.ts';
import type { Link } from './links.ts';
import { type Fields, isGiven, readFields, readStepId } from './read-values.ts';

/** No step leads on in more than two ways. */
const MOST_EDGES = 2 * MOST_STEPS;

/** Adds the links that stand apart from their nodes. */
export function readEdges(place: string, wire: unknown, nodes: ReadonlyMap<string, ReadNode>): void {
  if (!Array.isArray(wire)) throw invalidField(place, 'takes a list of edges');
  if (wire.length > MOST_EDGES) throw graphFault(place, `takes at most ${MOST_EDGES} edges`);
  for (const [index, edge] of wire.entries()) {
    const at = `${place}[${index}]`;
    readEdge(at, readFields(at, edge), nodes);
  }
}

function readEdge(place: string, { from, to, when }: Fields, nodes: ReadonlyMap<string, ReadNode>): void {
  const node = nodes.get(readStepId(`${place}.from`, from));
  if (node === undefined) throw graphFault(`${place}.from`, 'names a step that does not exist');
  const link = readWhen(`${place}.when`, when);
  addLink(link === 'next' ? place : `${place}.when`, node, link, readStepId(`${place}.to`, to));
}

function readWhen(place: string, when: unknown): Link {
  if (!isGiven(when)) return 'next';
  if (when !== 'then' && when !== 'else') throw invalidField(place, 'takes then, else, or nothing');
  return when;
}

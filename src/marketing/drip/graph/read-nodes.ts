import { invalidField } from '../../../platform/errors.ts';
import { addLink, type ReadNode } from './add-link.ts';
import { graphFault } from './check-graph.ts';
import { type Graph, MOST_STEPS } from './graph.ts';
import type { Link } from './links.ts';
import { makeGraph, makeNode } from './make-graph.ts';
import { readEdges } from './read-edges.ts';
import { readStep } from './read-step.ts';
import { isGiven, readFields, readStepId } from './read-values.ts';

const LINKS: readonly Link[] = ['next', 'then', 'else'];

/** The graph that a list of nodes describes, or an object of nodes and edges; `checkGraph` says whether it can be run. */
export function readNodes(place: string, wire: unknown): Graph {
  if (Array.isArray(wire)) return build(readNodeList(place, wire), undefined);
  const { first, nodes, edges } = readFields(place, wire);
  if (!Array.isArray(nodes)) throw invalidField(`${place}.nodes`, 'takes a list of nodes');
  const read = readNodeList(`${place}.nodes`, nodes);
  if (isGiven(edges)) readEdges(`${place}.edges`, edges, read);
  return build(read, isGiven(first) ? readStepId(`${place}.first`, first) : undefined);
}

function build(read: ReadonlyMap<string, ReadNode>, first: string | undefined): Graph {
  const nodes = [...read].map(([id, { own, links }]) => makeNode(id, own, links));
  return makeGraph(first ?? nodes[0]?.id ?? null, nodes);
}

function readNodeList(place: string, list: unknown[]): Map<string, ReadNode> {
  if (list.length > MOST_STEPS) throw graphFault(place, `takes at most ${MOST_STEPS} steps`);
  const nodes = new Map<string, ReadNode>();
  for (const [index, wire] of list.entries()) {
    const at = `${place}[${index}]`;
    const fields = readFields(at, wire);
    const id = readStepId(`${at}.id`, fields.id);
    if (nodes.has(id)) throw invalidField(`${at}.id`, 'another step has it');
    const node: ReadNode = { own: readStep(at, fields), links: new Map() };
    for (const link of LINKS.filter((name) => isGiven(fields[name]))) {
      addLink(`${at}.${link}`, node, link, readStepId(`${at}.${link}`, fields[link]));
    }
    nodes.set(id, node);
  }
  return nodes;
}

import { isDeepStrictEqual } from 'node:util';
import type { Graph, Node } from './graph.ts';
import { type Link, linkNamesOf, nodeById } from './links.ts';
import type { OwnFields } from './own-fields.ts';

/** A step with its id and where it leads; a link that is not named leads to the end. */
export function makeNode(id: string, own: OwnFields, links: ReadonlyMap<Link, string | null>): Node {
  const named = linkNamesOf(own.type).map((link) => [link, links.get(link) ?? null]);
  return { id, ...own, ...Object.fromEntries(named) } as Node;
}

/** A graph in which the step where everybody begins stands in front. */
export function makeGraph(first: string | null, nodes: Node[]): Graph {
  const [front, others] = [nodes.filter(({ id }) => id === first), nodes.filter(({ id }) => id !== first)];
  return { first, nodes: [...front, ...others] };
}

/** Whether two graphs have the same steps with the same links, in whatever order. */
export function sameGraph(one: Graph, other: Graph): boolean {
  return one.first === other.first && isDeepStrictEqual(nodeById(one), nodeById(other));
}

import type { Graph, Node, NodeType } from './graph.ts';
import type { OwnFields } from './own-fields.ts';

export type Link = 'next' | 'then' | 'else';

const ONWARD: readonly Link[] = ['next'];
const FORK: readonly Link[] = ['then', 'else'];

/** The links that a type of step has. */
export function linkNamesOf(type: NodeType): readonly Link[] {
  if (type === 'exit') return [];
  return type === 'branch' || type === 'wait' ? FORK : ONWARD;
}

/** Whether a step waits for as long as it takes, so that it leads on in one way only. */
export function isEndless(step: OwnFields | Node): boolean {
  return step.type === 'wait' && step.timeout === undefined;
}

/** Where a step leads; null is the end. */
export function linksOf(node: Node): (string | null)[] {
  if (node.type === 'exit') return [];
  if ('next' in node) return [node.next];
  return isEndless(node) ? [node.then] : [node.then, node.else];
}

/** The steps to which a step leads. */
export function followersOf(node: Node): string[] {
  return linksOf(node).filter((to) => to !== null);
}

export function nodeById(graph: Graph): ReadonlyMap<string, Node> {
  return new Map(graph.nodes.map((node) => [node.id, node]));
}

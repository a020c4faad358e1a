import type { Graph, Node } from './graph.ts';
import { ownFieldsOf } from './own-fields.ts';

interface Edge {
  from: string;
  to: string;
  when?: 'then' | 'else';
}

/** A graph as JSON of its nodes, of which the first is where everybody begins. */
export function writeNodes({ nodes }: Graph): string {
  return JSON.stringify(nodes);
}

/** A graph as JSON for a canvas: what to draw, and what to join with arrows. */
export function writeTree({ first, nodes }: Graph): string {
  const bare = nodes.map((node) => ({ id: node.id, ...ownFieldsOf(node) }));
  return JSON.stringify({ first, nodes: bare, edges: nodes.flatMap(edgesOf) });
}

function edgesOf(node: Node): Edge[] {
  if (node.type === 'exit') return [];
  if ('next' in node) return edge(node.id, node.next);
  return [...edge(node.id, node.then, 'then'), ...edge(node.id, node.else, 'else')];
}

/** An edge, unless it leads to the end. */
function edge(from: string, to: string | null, when?: 'then' | 'else'): Edge[] {
  if (to === null) return [];
  return [when === undefined ? { from, to } : { from, to, when }];
}

import type { Template } from './parse.ts';
import type { Condition, Node } from './tree.ts';

/** The paths a template looks up, sorted: `name`, `address.city`, `items`, `items[].price`. */
export function variablesOf(template: Template): string[] {
  const names = new Set<string>();
  addNames(template.nodes, names);
  return [...names].toSorted();
}

function addNames(nodes: readonly Node[], names: Set<string>): void {
  for (const node of nodes) {
    if (node.kind === 'text') continue;
    addName(node.kind === 'if' ? node.condition : node.of, names);
    if (node.kind === 'value') continue;
    addNames(node.body, names);
    addNames(node.otherwise, names);
  }
}

function addName(of: Condition, names: Set<string>): void {
  if (of.from !== 'literal' && of.name !== null && of.name !== '') names.add(of.name);
}

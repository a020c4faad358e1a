import { graphFault } from './check-graph.ts';
import type { Graph, Node, WaitNode } from './graph.ts';
import { followersOf } from './links.ts';
import { MAIL_BEFORE } from './read-happening.ts';

/** The same graph, in which each wait says whose opening it waits for: where nothing was said, that of the email step before it. */
export function nameMails(place: string, graph: Graph): Graph {
  const leadingTo = leadersOf(graph.nodes);
  return { ...graph, nodes: graph.nodes.map((node) => (isOpen(node) ? named(place, node, leadingTo) : node)) };
}

function isOpen(node: Node): node is WaitNode {
  return node.type === 'wait' && 'campaign_mailing_id' in node.for && node.for.campaign_mailing_id === MAIL_BEFORE;
}

/** The steps that lead to each step. */
function leadersOf(nodes: readonly Node[]): ReadonlyMap<string, Node[]> {
  const leaders = new Map<string, Node[]>();
  for (const node of nodes) {
    for (const to of followersOf(node)) leaders.set(to, [...(leaders.get(to) ?? []), node]);
  }
  return leaders;
}

function named(place: string, wait: WaitNode, leadingTo: ReadonlyMap<string, Node[]>): WaitNode {
  const [mailing, ...others] = mailingsBefore(wait.id, leadingTo);
  if (mailing === undefined)
    throw graphFault(place, `step ${wait.id} names no campaign_mailing_id, and no mail comes before it`);
  if (others.length > 0) {
    throw graphFault(place, `step ${wait.id} names no campaign_mailing_id, and different mailings come before it`);
  }
  return { ...wait, for: { ...wait.for, campaign_mailing_id: mailing } as WaitNode['for'] };
}

/** What people got last when they come to a step, by any of the ways that lead there. */
function mailingsBefore(id: string, leadingTo: ReadonlyMap<string, Node[]>): Set<string> {
  const mailings = new Set<string>();
  const seen = new Set<Node>();
  const behind = [...(leadingTo.get(id) ?? [])];
  for (let node = behind.pop(); node !== undefined; node = behind.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.type === 'email') mailings.add(node.campaign_mailing_id);
    else behind.push(...(leadingTo.get(node.id) ?? []));
  }
  return mailings;
}

import { freeIds } from './free-ids.ts';
import type { Graph, Node, SentGraph } from './graph.ts';
import { type Link, linkNamesOf } from './links.ts';
import { makeGraph, makeNode } from './make-graph.ts';
import { ownFieldsOf } from './own-fields.ts';
import { pairInOrder } from './pair-in-order.ts';

/** Which of the steps that were sent without an id are steps of before: the ids of those, by the ids of the sent ones. */
export function knownSteps({ graph, unnamed }: SentGraph, before: Graph): Map<string, string> {
  const isNamed = new Set(graph.nodes.map(({ id }) => id).filter((id) => !unnamed.has(id)));
  const sent = graph.nodes.map((node) => ({ node, sameAs: unnamed.has(node.id) ? ownText(node) : node.id }));
  const known = before.nodes.map((node) => ({ node, sameAs: isNamed.has(node.id) ? node.id : ownText(node) }));
  const pairs = pairInOrder(sent, known, ({ node }) => node.type === 'email');
  return new Map(pairs.map(([one, other]) => [one.node.id, other.node.id]));
}

/** What was sent, where steps without an id have the one of the step of before that they are, and new ones else. */
export function keepIds(
  { graph, unnamed }: SentGraph,
  known: ReadonlyMap<string, string>,
  used: Iterable<string>,
): Graph {
  const named = graph.nodes.map(({ id }) => id).filter((id) => !unnamed.has(id));
  const makeId = freeIds(new Set([...used, ...named]));
  const ids = new Map(graph.nodes.map(({ id }) => [id, unnamed.has(id) ? (known.get(id) ?? makeId()) : id]));
  const idOf = (id: string | null) => (id === null ? null : (ids.get(id) as string));
  return makeGraph(
    idOf(graph.first),
    graph.nodes.map((node) => makeNode(ids.get(node.id) as string, ownFieldsOf(node), linksBy(node, idOf))),
  );
}

function linksBy(node: Node, idOf: (id: string | null) => string | null): Map<Link, string | null> {
  const links = node as Partial<Record<Link, string | null>>;
  return new Map(linkNamesOf(node.type).map((link) => [link, idOf(links[link] ?? null)]));
}

/** What a step does, as a text that is the same for the same step: a stored one has its fields in another order. */
function ownText(node: Node): string {
  return JSON.stringify(ownFieldsOf(node), (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

import type { Graph, Node } from './graph.ts';
import { followersOf } from './links.ts';

/** The steps that one may come to again. */
export function stepsInLoops({ nodes }: Graph): Set<string> {
  return stepsInLoopsOf(nodes);
}

/** Those of these steps that lie on a loop of none but these. */
export function stepsInLoopsOf(nodes: readonly Node[]): Set<string> {
  const ahead = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const behind = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const node of nodes) {
    for (const to of followersOf(node).filter((id) => ahead.has(id))) {
      ahead.get(node.id)?.push(to);
      behind.get(to)?.push(node.id);
    }
  }
  return new Set(
    knotsOf(ahead, behind)
      .filter((knot) => isLoop(knot, ahead))
      .flat(),
  );
}

type Links = ReadonlyMap<string, readonly string[]>;

function isLoop(knot: string[], ahead: Links): boolean {
  const [one, ...others] = knot;
  return others.length > 0 || (one !== undefined && ahead.get(one)?.includes(one) === true);
}

/** The sets of steps of which each leads to each other (Kosaraju's algorithm). */
function knotsOf(ahead: Links, behind: Links): string[][] {
  const seen = new Set<string>();
  const byEnd = [...ahead.keys()].flatMap((id) => walk(id, ahead, seen)).toReversed();
  const tied = new Set<string>();
  return byEnd.map((id) => walk(id, behind, tied));
}

/** What is come to from here and was not seen before, each after everything that it leads to. */
function walk(from: string, links: Links, seen: Set<string>): string[] {
  if (seen.has(from)) return [];
  seen.add(from);
  const done: string[] = [];
  const path = [{ id: from, ahead: [...(links.get(from) ?? [])] }];
  for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
    const next = here.ahead.pop();
    if (next === undefined) {
      done.push(here.id);
      path.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      path.push({ id: next, ahead: [...(links.get(next) ?? [])] });
    }
  }
  return done;
}

import { DEEPEST, type Graph, type Node } from './graph.ts';
import { joinOf, type Target } from './join.ts';
import { linksOf, nodeById } from './links.ts';
import type { Step } from './steps.ts';
import { writeStep } from './write-step.ts';

/** What is written so far of a graph. */
interface Writing {
  byId: ReadonlyMap<string, Node>;
  written: Set<string>;
  /** Steps that lie too deep where they are first come to, for which the outermost list has room. */
  left: string[];
}

/** Where the lists go on that one stands in, from the outermost to one's own. Those steps are theirs to write. */
type Ahead = readonly Target[];

/** A graph as a list of steps which, read again, is the same graph: nested where it can be, with gotos where not. */
export function writeSteps(graph: Graph): Step[] {
  const writing: Writing = { byId: nodeById(graph), written: new Set(), left: [] };
  const list = writeList(writing, graph.first, [null]);
  for (let id = writing.left.shift(); id !== undefined; id = writing.left.shift()) {
    if (writing.written.has(id)) continue;
    if (!isLeft(list)) list.push({ type: 'goto', step: null });
    list.push(...writeList(writing, id, [null]));
  }
  return list;
}

function isLeft(list: readonly Step[]): boolean {
  const type = list.at(-1)?.type;
  return type === 'exit' || type === 'goto';
}

/** The steps from one on, to where the list goes on by itself. */
function writeList(writing: Writing, from: Target, ahead: Ahead): Step[] {
  const list: Step[] = [];
  let at: Target | undefined = from;
  while (at !== undefined && at !== ahead.at(-1)) {
    const node = freeNode(writing, at, ahead);
    if (node === undefined || isTooDeep(node, ahead)) {
      if (node !== undefined) writing.left.push(node.id);
      return [...list, { type: 'goto', step: at }];
    }
    at = writeNode(writing, node, ahead, list);
  }
  return list;
}

/** Adds a step with all that nests in it, and gives what comes after it in the same list. */
function writeNode(writing: Writing, node: Node, ahead: Ahead, list: Step[]): Target | undefined {
  writing.written.add(node.id);
  const [then, otherwise = then] = linksOf(node);
  if (then === undefined || otherwise === undefined || then === otherwise) {
    list.push(writeStep(node, [], []));
    return then;
  }
  const goesOn = ahead.at(-1) ?? null;
  const join = joinOf([then, otherwise], goesOn, (from) => reach(writing, from, ahead));
  const within = [...ahead, join === undefined ? goesOn : join];
  list.push(writeStep(node, writeList(writing, then, within), writeList(writing, otherwise, within)));
  return join;
}

/** Everything that may be written here from one step on, nearest first along each way, and where the list goes on. */
function reach(writing: Writing, from: Target, ahead: Ahead): ReadonlySet<Target> {
  const reached = new Set<Target>();
  const waiting: Target[] = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const node = freeNode(writing, at, ahead);
    if (node === undefined && at !== ahead.at(-1)) continue;
    if (!reached.has(at) && node !== undefined) waiting.push(...linksOf(node));
    reached.add(at);
  }
  return reached;
}

/** A step that has not been written yet and is no other list's to write. */
function freeNode({ byId, written }: Writing, at: Target, ahead: Ahead): Node | undefined {
  return at === null || written.has(at) || ahead.includes(at) ? undefined : byId.get(at);
}

/** Whether a step would have others in it that are nested too deep. */
function isTooDeep(node: Node, ahead: Ahead): boolean {
  return ahead.length > DEEPEST && new Set(linksOf(node)).size > 1;
}

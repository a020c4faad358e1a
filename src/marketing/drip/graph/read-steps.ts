import { invalidField } from '../../../platform/errors.ts';
import { graphFault } from './check-graph.ts';
import { DEEPEST, MOST_STEPS, type SentGraph } from './graph.ts';
import { linkSteps, type ReadItem, type ReadStep } from './link-steps.ts';
import { isEndless } from './links.ts';
import { readStep } from './read-step.ts';
import { type Fields, isGiven, readFields, readStepId } from './read-values.ts';

/** What was read so far. */
interface Reading {
  place: string;
  steps: ReadStep[];
  ids: Set<string>;
}

/** The graph that a list of steps describes; `checkGraph` says whether it can be run. */
export function readSteps(place: string, wire: unknown): SentGraph {
  const reading: Reading = { place, steps: [], ids: new Set() };
  const list = readList(reading, place, wire, 0);
  const graph = linkSteps(list, reading.steps);
  const ids = graph.nodes.map(({ id }) => id);
  return { graph, unnamed: new Set(ids.filter((id) => !reading.ids.has(id))) };
}

function readList(reading: Reading, place: string, wire: unknown, depth: number): ReadItem[] {
  if (!isGiven(wire)) return [];
  if (!Array.isArray(wire)) throw invalidField(place, 'takes a list of steps');
  if (depth > DEEPEST && wire.length > 0) throw graphFault(place, `nests deeper than ${DEEPEST}`);
  const list: ReadItem[] = [];
  for (const [index, item] of wire.entries()) {
    const at = `${place}[${index}]`;
    const fields = readFields(at, item);
    list.push(fields.type === 'goto' ? readGoto(at, fields, list.at(-1)) : readActing(reading, at, fields, depth));
  }
  return list;
}

/** One goto is enough to leave a list; nothing comes to another right after it. */
function readGoto(place: string, { step }: Fields, before: ReadItem | undefined): ReadItem {
  if (before !== undefined && ('goto' in before || before.own.type === 'exit')) {
    throw invalidField(place, 'cannot follow an exit or another goto');
  }
  return { goto: step === null ? null : readStepId(`${place}.step`, step) };
}

function readActing(reading: Reading, place: string, fields: Fields, depth: number): ReadStep {
  const id = readOwnId(reading, place, fields);
  const step: ReadStep = { id, own: readStep(place, fields), arms: { yes: [], no: [] } };
  if (reading.steps.push(step) > MOST_STEPS) throw graphFault(reading.place, `takes at most ${MOST_STEPS} steps`);
  if (step.own.type !== 'branch' && step.own.type !== 'wait') return step;
  step.arms.yes = readList(reading, `${place}.then`, fields.then, depth + 1);
  step.arms.no = readList(reading, `${place}.else`, fields.else, depth + 1);
  if (isEndless(step.own) && step.arms.no.length > 0) throw invalidField(`${place}.else`, 'needs a timeout');
  return step;
}

function readOwnId({ ids }: Reading, place: string, fields: Fields): string | undefined {
  if (!isGiven(fields.id)) return undefined;
  const id = readStepId(`${place}.id`, fields.id);
  if (ids.has(id)) throw invalidField(`${place}.id`, 'another step has it');
  ids.add(id);
  return id;
}

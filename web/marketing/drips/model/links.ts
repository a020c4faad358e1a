import { armsOf, isFork, type Step } from './step.ts';
import { type Place, standingsOf } from './tree.ts';

/** What is drawn: where people come in and end, the steps, and the places between them. */
export type Dot =
  | { id: string; kind: 'entry' | 'end' }
  | { id: string; kind: 'step'; step: Step }
  | { id: string; kind: 'place'; place: Place; beginsArm: boolean };

/** An arrow; those of gotos go anywhere, also back. */
export interface Link {
  from: string;
  to: string;
  isJump: boolean;
}

export const ENTRY = 'entry:';
export const END = 'end:';

/** The name by which a place is drawn. */
export function placeId({ fork, arm, index }: Place): string {
  return `place:${fork ?? ''}:${arm}:${index}`;
}

/** The steps as a picture: between any two of them there is a place where another may be put. */
export function drawSteps(steps: readonly Step[]): { dots: Dot[]; links: Link[] } {
  const dots: Dot[] = [{ id: ENTRY, kind: 'entry' }];
  const links: Link[] = [];
  const known = new Set(standingsOf(steps).map(({ step }) => step.id));
  const join = (ends: readonly string[], to: string) =>
    links.push(...ends.map((from) => ({ from, to, isJump: false })));

  /** Draws a list after what leads to it, and gives what goes on from its end. */
  const drawList = (list: readonly Step[], at: Omit<Place, 'index'>, before: readonly string[]): string[] => {
    let ends = [...before];
    const drawPlace = (index: number) => {
      const place = { ...at, index };
      const id = placeId(place);
      dots.push({ id, kind: 'place', place, beginsArm: at.fork !== null && index === 0 });
      join(ends, id);
      ends = [id];
    };
    list.forEach((step, index) => {
      drawPlace(index);
      dots.push({ id: step.id, kind: 'step', step });
      join(ends, step.id);
      ends = drawAfter(step);
    });
    // Nobody comes to a place after somebody has left.
    if (ends.length > 0) drawPlace(list.length);
    return ends;
  };

  const drawAfter = (step: Step): string[] => {
    if (step.type === 'exit') return [];
    if (step.type === 'goto') {
      if (step.step === null || known.has(step.step)) {
        links.push({ from: step.id, to: step.step ?? END, isJump: true });
      }
      return [];
    }
    return isFork(step)
      ? armsOf(step).flatMap((arm) => drawList(step[arm], { fork: step.id, arm }, [step.id]))
      : [step.id];
  };

  const ends = drawList(steps, { fork: null, arm: 'then' }, [ENTRY]);
  dots.push({ id: END, kind: 'end' });
  join(ends, END);
  return { dots, links };
}

/** The steps that nothing leads to. */
export function strayStepsOf(steps: readonly Step[]): Set<string> {
  const { dots, links } = drawSteps(steps);
  const ahead = Map.groupBy(links, ({ from }) => from);
  const reached = new Set<string>();
  const waiting = [ENTRY];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    waiting.push(...(ahead.get(at) ?? []).map(({ to }) => to));
  }
  return new Set(dots.filter(({ id, kind }) => kind === 'step' && !reached.has(id)).map(({ id }) => id));
}

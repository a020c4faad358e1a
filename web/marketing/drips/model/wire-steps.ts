import { type Condition, type Happening, type Span, type Step, type Test, UNITS, type Until } from './step.ts';

type Wire = Record<string, unknown>;

/** The steps as the server tells them, made ready to be edited. */
export function readSteps(wire: readonly unknown[]): Step[] {
  let gotos = 0;
  const readList = (list: unknown): Step[] => (Array.isArray(list) ? list.map((each) => read(each as Wire)) : []);
  const read = (step: Wire): Step => {
    const id = step.id as string;
    switch (step.type) {
      case 'delay':
        return { id, type: 'delay', delay: readDelay(step) };
      case 'branch':
        return {
          id,
          type: 'branch',
          if: readTest(step.if as Wire),
          then: readList(step.then),
          else: readList(step.else),
        };
      case 'wait':
        return {
          id,
          type: 'wait',
          for: step.for as Happening,
          timeout: (step.timeout as Span | undefined) ?? null,
          then: readList(step.then),
          else: readList(step.else),
        };
      case 'list':
        return step.add === undefined
          ? { id, type: 'list', change: 'remove', list: step.remove as string }
          : { id, type: 'list', change: 'add', list: step.add as string };
      case 'goto':
        gotos += 1;
        return { id: `goto-${gotos}`, type: 'goto', step: step.step as string | null };
      default:
        return { ...step } as unknown as Step;
    }
  };
  return readList(wire);
}

/** The steps as the server takes them. */
export function writeSteps(steps: readonly Step[]): Wire[] {
  return steps.map((step) => {
    switch (step.type) {
      case 'delay':
        return { id: step.id, type: step.type, ...step.delay };
      case 'branch':
        return { ...step, then: writeSteps(step.then), else: writeSteps(step.else) };
      case 'wait': {
        const { timeout, ...rest } = step;
        const written = { ...rest, then: writeSteps(step.then), else: [] as Wire[] };
        return timeout === null ? written : { ...written, timeout, else: writeSteps(step.else) };
      }
      case 'list':
        return { id: step.id, type: step.type, [step.change]: step.list };
      case 'goto':
        return { type: step.type, step: step.step };
      case 'email':
      case 'field':
      case 'webhook':
      case 'exit':
        break;
    }
    return { ...step };
  });
}

/** What a branch or a goal asks; a single condition is a rule of one. */
export function readTest(wire: Wire): Test {
  return 'field' in wire ? { filters: [[wire as unknown as Condition]] } : (wire as Test);
}

function readDelay(step: Wire): { span: Span } | { until: Until } {
  if (step.until !== undefined) return { until: step.until as Until };
  if (step.span !== undefined) return { span: step.span as Span };
  return { span: Object.fromEntries(UNITS.flatMap((unit) => (step[unit] === undefined ? [] : [[unit, step[unit]]]))) };
}

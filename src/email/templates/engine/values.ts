import type { Condition, LoopField } from './tree.ts';

/** The values that names have inside a block while it is rendered. */
export interface Frame {
  context: unknown;
  parent: Frame | null;
  loop: Record<LoopField, unknown> | null;
  params: ReadonlyMap<string, unknown>;
}

/** What a name leads to: own data only, and undefined where there is none. */
export function valueOf(of: Condition, frame: Frame): unknown {
  if (of.from === 'literal') return of.value;
  if (of.from === 'loop') return loopAround(frame, of.up)?.[of.field];
  return of.keys.reduce<unknown>(ownValue, beginningOf(of, frame));
}

/** True as Handlebars sees it: not false, 0, '', null, undefined, NaN or an empty list. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Whether a value can be given the fields of a template. */
export function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value of a key itself, never one inherited, computed or of a string. */
export function ownValue(owner: unknown, key: string): unknown {
  if (!isCollection(owner) || key === '__proto__') return undefined;
  const property = Object.getOwnPropertyDescriptor(owner, key);
  return typeof property?.value === 'function' ? undefined : property?.value;
}

function beginningOf(of: Exclude<Condition, { from: 'literal' | 'loop' }>, frame: Frame): unknown {
  let at = frame;
  if (of.from === 'param') {
    while (!at.params.has(of.param) && at.parent !== null) at = at.parent;
    return at.params.get(of.param);
  }
  for (let up = of.from === 'root' ? Number.POSITIVE_INFINITY : of.up; up > 0 && at.parent !== null; up -= 1) {
    at = at.parent;
  }
  return at.context;
}

function loopAround(frame: Frame, up: number): Frame['loop'] {
  let left = up;
  for (let at: Frame | null = frame; at !== null; at = at.parent) {
    if (at.loop !== null && left === 0) return at.loop;
    if (at.loop !== null) left -= 1;
  }
  return null;
}

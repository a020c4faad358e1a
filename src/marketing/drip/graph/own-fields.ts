import type { Node } from './graph.ts';

const PLACE = new Set(['id', 'next', 'then', 'else']);

type WithoutPlace<Each> = Each extends Node ? Omit<Each, 'id' | 'next' | 'then' | 'else'> : never;

/** A step by itself: what it does, without its id and without where it leads. */
export type OwnFields = WithoutPlace<Node>;

export function ownFieldsOf(node: Node): OwnFields {
  const own = Object.entries(node).filter(([name]) => !PLACE.has(name));
  return Object.fromEntries(own) as OwnFields;
}

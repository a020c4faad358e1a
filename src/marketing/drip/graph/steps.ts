import type { NodeType } from './graph.ts';

/** A step as it is written in a list: what it does in fields of its own, and what comes of it in lists within. */
export interface ActingStep {
  id: string;
  type: NodeType;
  then?: Step[];
  else?: Step[];
  [own: string]: unknown;
}

/** Leads to another step, or to the end where that is null. It says what nesting cannot and is no step itself. */
export interface GotoStep {
  type: 'goto';
  step: string | null;
}

export type Step = ActingStep | GotoStep;

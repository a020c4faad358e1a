import type { AppError } from '../../../platform/errors.ts';
import type { FieldKind } from '../../fields/field-type.ts';
import type { Op } from './ops.ts';

/** How large filters may be. */
export const MOST_GROUPS = 20;
export const MOST_CONDITIONS = 20;
export const MOST_TERMS = 100;
export const MOST_TERMS_IN_ALL = 1_000;
export const LONGEST_TERM = 1_000;
export const LONGEST_IN_ALL = 50_000;
/** Longer than any filters within these bounds are when they are written as a rule, or as JSON. */
export const LONGEST_WRITTEN = 500_000;

/** One condition as it was asked for, before anything of it is known to make sense. */
export interface AskedCondition {
  field: string;
  op: string;
  terms: string[];
  /** The refusal of a part of it, naming where it stands. */
  refuse(part: 'field' | 'op' | 'terms', rule: string): AppError;
}

/** One condition as callers write and read it. */
export interface WireCondition {
  field: string;
  op: Op;
  terms: string[];
}

/** One condition on a person, checked. It is kept as it is, so it says by itself which custom field it means. */
export interface Condition extends WireCondition {
  /** Which custom field this is, whatever it is called by now. */
  custom?: { number: number; kind: FieldKind };
}

/** Whoever fits every condition of one of the groups. */
export type Filters = Condition[][];

import type { Reply } from '../../api/client.ts';
import { nameOf } from './fields.ts';

/** Whoever fits every condition of one of the groups, as the product keeps it. */
export type Filters = Reply<'readDynamicList'>['data']['attributes']['filters'];
type Wire = Filters[number][number];

export interface Condition extends Wire {
  type: 'condition';
  key: number;
}

export interface Group {
  type: 'group';
  key: number;
  match: 'all' | 'any';
  parts: readonly Part[];
}

export type Part = Condition | Group;

/** More alternatives than these are refused by the product. */
const MOST_GROUPS = 20;
let lastKey = 0;

function nextKey(): number {
  lastKey += 1;
  return lastKey;
}

/** A condition to begin with. */
export function newCondition(): Condition {
  return { type: 'condition', key: nextKey(), field: 'email', op: 'contains', terms: [''] };
}

/** A group with a condition to begin with. */
export function newGroup(match: Group['match']): Group {
  return { type: 'group', key: nextKey(), match, parts: [newCondition()] };
}

/** Whether every condition has all that it needs; a rule is told nobody before that. */
export function isComplete(part: Part): boolean {
  if (part.type === 'group') return part.parts.length > 0 && part.parts.every(isComplete);
  return part.terms.every((term) => term.trim() !== '');
}

/** A rule as groups of which one has to fit; null where it would be more than the product keeps. */
export function filtersOf(part: Part): Filters | null {
  if (part.type === 'condition') return [[{ field: part.field, op: part.op, terms: part.terms }]];
  const below = part.parts.map(filtersOf);
  if (below.some((filters) => filters === null)) return null;
  const alternatives = below as Filters[];
  const all = part.match === 'any' ? alternatives.flat() : alternatives.reduce(inBoth);
  return all.length > MOST_GROUPS ? null : all;
}

/** Whoever fits one of these and one of those: every pair of them is a group. */
function inBoth(these: Filters, those: Filters): Filters {
  return these.flatMap((one) => those.map((other) => [...one, ...other]));
}

/** Filters as a rule to be edited: what stands in every group is told once, before the alternatives. */
export function groupOf(filters: Filters): Group {
  const [first = []] = filters;
  const shared = first.filter((one) => filters.every((group) => group.some((other) => isSame(one, other))));
  const rests = filters.map((group) => group.filter((one) => !shared.some((other) => isSame(one, other))));
  if (filters.length === 1) return grouped('all', first.map(conditionOf));
  if (shared.length === 0 || rests.some((rest) => rest.length === 0)) return grouped('any', filters.map(partOf));
  return grouped('all', [...shared.map(conditionOf), grouped('any', rests.map(partOf))]);
}

function isSame(one: Wire, other: Wire): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function grouped(match: Group['match'], parts: Part[]): Group {
  return { type: 'group', key: nextKey(), match, parts };
}

function partOf(group: readonly Wire[]): Part {
  const conditions = group.map(conditionOf);
  return conditions.length === 1 ? (conditions[0] as Condition) : grouped('all', conditions);
}

function conditionOf({ field, op, terms }: Wire): Condition {
  return { type: 'condition', key: nextKey(), field: nameOf(field), op, terms };
}

import { invalidField } from '../../../platform/errors.ts';
import type { Span } from './graph.ts';
import { type Fields, isGiven } from './read-values.ts';

const DAY = 24 * 60;
const YEAR = 365 * DAY;
const MINUTES_IN = { minutes: 1, hours: 60, days: DAY, weeks: 7 * DAY, months: YEAR / 12 };

export const UNITS = Object.keys(MINUTES_IN) as (keyof Span)[];
const MOST_YEARS = 10;

/** How long something takes, from whichever units are given; a month counts as the twelfth part of a year. */
export function readSpan(place: string, fields: Fields): Span {
  const units = UNITS.filter((unit) => isGiven(fields[unit]));
  if (units.length === 0) throw invalidField(place, `takes ${UNITS.join(', ')}`);
  const span: Span = Object.fromEntries(units.map((unit) => [unit, readCount(`${place}.${unit}`, fields[unit])]));
  const total = units.reduce((sum, unit) => sum + (span[unit] ?? 0) * MINUTES_IN[unit], 0);
  if (total > MOST_YEARS * YEAR) {
    throw invalidField(units.length === 1 ? `${place}.${units[0]}` : place, `takes at most ${MOST_YEARS} years in all`);
  }
  return span;
}

function readCount(place: string, wire: unknown): number {
  if (typeof wire !== 'number' || !Number.isSafeInteger(wire) || wire < 1) {
    throw invalidField(place, 'takes a positive whole number');
  }
  return wire;
}

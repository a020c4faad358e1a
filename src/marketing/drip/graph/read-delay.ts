import { invalidField } from '../../../platform/errors.ts';
import type { Span, Until } from './graph.ts';
import { readSpan, UNITS } from './read-span.ts';
import { type Fields, isGiven, readFields, readOnly } from './read-values.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAY_NUMBERS = new Map(DAYS.flatMap((day, index) => [day, day.slice(0, 3)].map((name) => [name, index + 1])));

/** How long a delay is: some time in one unit, which may also stand in a span, or until the clock shows a time. */
export function readDelay(place: string, fields: Fields): { span: Span } | { until: Until } {
  const given = readOnly(place, fields, [...UNITS, 'span', 'until']);
  if (given === 'until') return { until: readUntil(`${place}.until`, readFields(`${place}.until`, fields.until)) };
  if (given !== 'span') return { span: readSpan(place, fields) };
  const span = readFields(`${place}.span`, fields.span);
  readOnly(`${place}.span`, span, UNITS);
  return { span: readSpan(`${place}.span`, span) };
}

function readUntil(place: string, { weekday, time }: Fields): Until {
  if (typeof time !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) {
    throw invalidField(`${place}.time`, 'takes a time from 00:00 to 23:59');
  }
  return isGiven(weekday) ? { weekday: readWeekday(`${place}.weekday`, weekday), time } : { time };
}

function readWeekday(place: string, wire: unknown): number {
  const day = typeof wire === 'string' ? DAY_NUMBERS.get(wire.toLowerCase()) : wire;
  if (typeof day !== 'number' || !Number.isInteger(day) || day < 1 || day > 7) {
    throw invalidField(place, 'takes 1 for Monday to 7 for Sunday, or the name of a day');
  }
  return day;
}

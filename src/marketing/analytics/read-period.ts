import { isDay } from '../../platform/calendar-time.ts';
import { invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import { one, type Wire } from '../read-page.ts';

/** From when until before when; open where it is null. Days begin `offset` minutes before those of UTC. */
export interface Period {
  start: Date | null;
  end: Date | null;
  offset: number;
}

/** The parameters that a period is read from. */
export const PERIOD_PARAMETERS = {
  start_date: Parameter('The first day, or a moment of RFC 3339'),
  end_date: Parameter('The last day, or the moment of RFC 3339 before which it ends'),
  date_offset: Parameter(
    'How far days are ahead of UTC: minutes, or as in +02:00; by_date without a period, a plain number: of how many days back',
  ),
};

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_MINUTES = 14 * 60;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** Reads a period, or throws naming what is wrong with it. */
export function readPeriod(wire: Wire): Period {
  const offset = readOffset(one(wire.date_offset));
  const start = readBound('start_date', one(wire.start_date), -offset * MINUTE);
  const end = readBound('end_date', one(wire.end_date), DAY - offset * MINUTE);
  if (start !== null && end !== null && start >= end) throw invalidField('end_date', 'does not come before start_date');
  return { start, end, offset };
}

/** The same for a report by days. In place of a period clients ask for the last days, by a plain number. */
export function readPeriodOfDays(wire: Wire, now: Date): Period {
  const isOpen = one(wire.start_date) === undefined && one(wire.end_date) === undefined;
  const [days = '0'] = /^\d{1,4}$/.exec(one(wire.date_offset) ?? '') ?? [];
  if (!isOpen || Number(days) === 0) return readPeriod(wire);
  const today = now.getTime() - (now.getTime() % DAY);
  return { start: new Date(today - Number(days) * DAY), end: null, offset: 0 };
}

function readBound(name: string, text: string | undefined, sinceMidnight: number): Date | null {
  if (text === undefined) return null;
  if (isDay(text)) return new Date(Date.parse(text) + sinceMidnight);
  const moment = withPlus(text);
  if (!MOMENT.test(moment)) throw invalidField(name, 'takes a day as YYYY-MM-DD or a moment of RFC 3339');
  return readMoment(name, moment);
}

function readOffset(text: string | undefined): number {
  if (text === undefined) return 0;
  const [, sign, hours, rest] = /^([+-]?)(?:(\d\d):)?(\d{1,4})$/.exec(withPlus(text)) ?? [];
  const minutes = Number(hours ?? 0) * 60 + Number(rest);
  if (!(minutes <= MOST_MINUTES) || (hours !== undefined && Number(rest) > 59)) {
    throw invalidField('date_offset', 'takes minutes, or hours and minutes as in +02:00, up to 14 hours');
  }
  return sign === '-' ? -minutes : minutes;
}

/** A plus that was not encoded arrives as a blank. */
function withPlus(text: string): string {
  return text.replace(/ (?=\d\d:\d\d$|\d+$)/, '+');
}

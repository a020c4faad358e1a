import { isDay } from '../../platform/calendar-time.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { Schedule } from '../submission/accept.ts';
import { FURTHEST_AHEAD_MS, FURTHEST_MOVED_MS } from './furthest.ts';

// RFC 3339; clients also leave the zone away, and then mean UTC.
const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?$/;
const AS_ANSWERED = /T\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** When a message shall leave: a moment within the next 30 days. */
export function readScheduledAt(now: Date, text: string): Schedule {
  const at = parseTime(text);
  if (at === null) throw invalidField('scheduled_at', 'takes an RFC 3339 date and time');
  const wait = at.getTime() - now.getTime();
  if (wait <= 0) throw unprocessable('lies in the past');
  if (wait > FURTHEST_AHEAD_MS) throw unprocessable('lies more than 30 days ahead');
  return { at, as: AS_ANSWERED.test(text) ? text : at.toISOString() };
}

/** Refuses to put a message off for ever: what is older than that is not looked for any more. */
export function requireMovable(acceptedAt: Date, { at }: Schedule): void {
  if (at.getTime() - acceptedAt.getTime() > FURTHEST_MOVED_MS)
    throw unprocessable('lies more than 90 days after the message was accepted');
}

function parseTime(text: string): Date | null {
  const [, day, zone] = TIME.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const at = new Date(zone === undefined ? `${text}Z` : text);
  return Number.isNaN(at.getTime()) ? null : at;
}

function unprocessable(rule: string): AppError {
  return new AppError('unprocessable', `scheduled_at: ${rule}`, { fields: { scheduled_at: [rule] } });
}

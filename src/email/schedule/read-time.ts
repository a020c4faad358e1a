import { AppError, invalidField } from '../../platform/errors.ts';
import type { Schedule } from '../submission/accept.ts';

const FURTHEST_MS = 30 * 24 * 3600_000;
// RFC 3339; clients also leave the zone away, and then mean UTC.
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?$/;

/** When a message shall leave: a moment within the next 30 days. */
export function readScheduledAt(now: Date, text: string): Schedule {
  const at = TIME.test(text) ? new Date(/[zZ]$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`) : null;
  if (at === null || Number.isNaN(at.getTime())) throw invalidField('scheduled_at', 'takes an RFC 3339 date and time');
  const wait = at.getTime() - now.getTime();
  if (wait <= 0) throw unprocessable('lies in the past');
  if (wait > FURTHEST_MS) throw unprocessable('lies more than 30 days ahead');
  return { at, as: text };
}

function unprocessable(rule: string): AppError {
  return new AppError('unprocessable', `scheduled_at: ${rule}`, { fields: { scheduled_at: [rule] } });
}

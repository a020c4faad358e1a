import { isDay } from '../platform/calendar-time.ts';
import { type Invocation, required, UsageError } from './command.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** The moment that an option names, with its distance from UTC: a time of this machine's zone says too little. */
export function readMoment(invocation: Invocation, name: string): Date {
  const text = required(invocation, name);
  const moment = new Date(text);
  if (!MOMENT.test(text) || !isDay(text.slice(0, 10)) || Number.isNaN(moment.getTime()))
    throw new UsageError(`--${name} takes a time such as 2027-01-31T10:30:00Z`);
  return moment;
}

/** The day that an option names, as the moment at which it begins in UTC. */
export function readDay(invocation: Invocation, name: string): Date {
  const text = required(invocation, name);
  if (!isDay(text)) throw new UsageError(`--${name} takes a day such as 2027-01-31`);
  return new Date(text);
}

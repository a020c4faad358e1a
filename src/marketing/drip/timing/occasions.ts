import { instantOf } from '../../local-time.ts';

/** Begins a drip for everybody around a date that is kept of them, such as a birthday or an appointment. */
export interface DateTrigger {
  /** The name of the field that holds the date. */
  field: string;
  every: 'once' | 'year';
  /** How long after the date, -3650 to 3650; before it where negative. */
  days: number;
  /** By the clock of whoever it is about, such as 09:00. */
  time: string;
}

/** When the clock of a zone shows a time on a day; the end of the gap where clocks are put forward over it. */
export function momentOf(day: string, time: string, timeZone: string): Date {
  return new Date(instantOf(Date.parse(`${day}T${time}Z`), timeZone));
}

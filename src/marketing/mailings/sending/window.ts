import { instantOf, localTime } from '../../local-time.ts';

/** When mails may arrive, by the clock of whoever gets them. */
export interface SendWindow {
  /** Minutes after midnight; `to` is not part of it. */
  from: number;
  to: number;
  /** 1 for Monday to 7 for Sunday. */
  days: number[];
  /** For people of whom no time zone is known. */
  time_zone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A window on one day of the week may fall into the hour that does not exist. */
const DAYS_AHEAD = 16;
/** How far clocks are put forward or back; Antarctica has two hours. */
const LARGEST_SHIFT = 120;

/** The next moment in which a mail may go out: now where it is one, otherwise the minute in which the window opens. */
export function nextOpening({ from, to, days }: SendWindow, timeZone: string, now: Date): Date {
  const isOpen = (at: number) => {
    const local = new Date(localTime(at, timeZone));
    const minutes = local.getUTCHours() * 60 + local.getUTCMinutes();
    return days.includes(local.getUTCDay() || 7) && minutes >= from && minutes < to;
  };
  if (isOpen(now.getTime())) return now;
  const today = Math.floor(localTime(now.getTime(), timeZone) / DAY) * DAY;
  for (let day = -1; day < DAYS_AHEAD; day += 1) {
    const midnight = today + day * DAY;
    const opening = openingNear(instantOf(midnight + from * MINUTE, timeZone), isOpen);
    if (opening !== null && opening > now.getTime()) return new Date(opening);
  }
  return new Date(now.getTime() + DAYS_AHEAD * DAY); // asked again then
}

/** The first open minute around a moment: the moment itself, unless the clocks are put forward or back near it. */
function openingNear(at: number, isOpen: (at: number) => boolean): number | null {
  if (isOpen(at) && !isOpen(at - MINUTE)) return at;
  for (let minute = -LARGEST_SHIFT; minute <= LARGEST_SHIFT; minute += 1) {
    const opening = at + minute * MINUTE;
    if (isOpen(opening) && !isOpen(opening - MINUTE)) return opening;
  }
  // A window that never closes opens with the day.
  return isOpen(at) ? at : null;
}

const DAY = 24 * 60 * 60_000;

/** How the dates read that make somebody due on a day. */
export interface DueDates {
  /** Such as 1985-04-12, or 04-12 where it comes every year. */
  key: string;
  /** The last of them: nobody has an anniversary before the day itself. */
  last: string;
}

/** The dates that make somebody due on a day. Who was born on the 29th of February is not left out in other years. */
export function datesDueOn(day: string, { every, days }: { every: 'once' | 'year'; days: number }): DueDates[] {
  const at = Date.parse(day) - days * DAY;
  const last = dayOf(at);
  if (every === 'once') return [{ key: last, last }];
  const key = last.slice(5);
  const isEndOfFebruary = key === '02-28' && dayOf(at + DAY).endsWith('03-01');
  return (isEndOfFebruary ? [key, '02-29'] : [key]).map((each) => ({ key: each, last }));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

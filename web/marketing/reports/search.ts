import { words } from '../../words/reports.ts';

/** Which mails a report is about, over how many days, and whether small counts are hidden. */
export interface ReportSearch {
  days: keyof typeof words.periods;
  kind: keyof typeof words.kinds;
  hide: boolean;
}

/** Reads it from an address. */
export function readReportSearch({ days, kind, hide }: Record<string, unknown>): ReportSearch {
  return {
    days: isOne(words.periods, String(days)) ? (String(days) as ReportSearch['days']) : '30',
    kind: isOne(words.kinds, kind) ? (kind as ReportSearch['kind']) : 'all',
    hide: hide === true,
  };
}

/** Counts below this can point at somebody. */
const SMALLEST_SHOWN = '11';

/** The parameters that every report of the page shares. */
export function queryOf({ kind, hide }: ReportSearch) {
  return { ...(kind === 'all' ? {} : { email_type: kind }), ...(hide ? { min_cell: SMALLEST_SHOWN } : {}) };
}

/** The parameters of the period, by the days of this computer. */
export function periodOf({ days }: ReportSearch, now: Date) {
  const first = new Date(now.getTime() - (Number(days) - 1) * 86_400_000);
  return { start_date: dayOf(first), end_date: dayOf(now), date_offset: String(-now.getTimezoneOffset()) };
}

function dayOf(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function isOne(names: object, name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(names, name);
}

export const STATES = ['new', 'in_work', 'done'] as const;

/** What the address of a list of submissions says. Nothing in it tells of a patient. */
export interface SubmissionsSearch {
  state?: (typeof STATES)[number];
  /** The id of a person, or none. */
  whose?: string;
  since?: string;
  until?: string;
  by?: 'created_at' | 'submitter_email';
  order?: 'asc' | 'desc';
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const WHOSE = /^(none|[0-9a-f-]{36})$/;

/** Reads the address; what it does not know is left out. */
export function readSubmissionsSearch(search: Record<string, unknown>): SubmissionsSearch {
  const { whose, since, until, by, order } = search;
  const state = STATES.find((each) => each === search['state']);
  return {
    ...(state === undefined ? {} : { state }),
    ...(typeof whose === 'string' && WHOSE.test(whose) ? { whose } : {}),
    ...(typeof since === 'string' && DAY.test(since) ? { since } : {}),
    ...(typeof until === 'string' && DAY.test(until) ? { until } : {}),
    ...(by === 'created_at' || by === 'submitter_email' ? { by } : {}),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
  };
}

/** The days of a filter as the moments at which they begin and end here. */
export function momentsOf({ since, until }: SubmissionsSearch): { since?: string; until?: string } {
  return {
    ...(since === undefined ? {} : { since: dayBegins(since, 0) }),
    ...(until === undefined ? {} : { until: dayBegins(until, 1) }),
  };
}

function dayBegins(day: string, more: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + more).toISOString();
}

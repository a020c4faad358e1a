import type { Filters } from '../segments/rule.ts';

/** Which people the table shows. Names and addresses stay here and out of the browser's addresses. */
export interface PeopleChoice {
  search: string;
  list: number | undefined;
  segment: string | undefined;
  filters: Filters | null;
}

/** What of it stands in the address, so that it can be sent to a colleague. */
export interface PeopleSearch {
  list?: number;
  segment?: string;
}

/** Reads the address of the table. */
export function readPeopleSearch({ list, segment }: Record<string, unknown>): PeopleSearch {
  return {
    ...(typeof list === 'number' ? { list } : {}),
    ...(typeof segment === 'string' ? { segment } : {}),
  };
}

/** Nothing that narrows. */
export const ANYBODY: PeopleChoice = { search: '', list: undefined, segment: undefined, filters: null };

/** Whether everybody is meant. */
export function isEverybody({ search, list, segment, filters }: PeopleChoice): boolean {
  return search.trim() === '' && list === undefined && segment === undefined && filters === null;
}

/** A choice as it is searched for. */
export function wireOf({ search, list, segment, filters }: PeopleChoice) {
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(list === undefined ? {} : { subscription_list_id: list }),
    ...(segment === undefined ? {} : { dynamic_list_id: segment }),
    ...(filters === null ? {} : { filters }),
  };
}

const EVERYBODY: Filters = [[{ field: 'created_at', op: 'is_not_empty', terms: [] }]];

/** A choice as work on many takes it, which takes nothing at all for a mistake rather than for everybody. */
export function bulkWireOf(choice: PeopleChoice) {
  const { subscription_list_id: list, ...rest } = wireOf(choice);
  return {
    ...rest,
    ...(list === undefined ? {} : { from_subscription_list_id: list }),
    ...(isEverybody(choice) ? { filters: EVERYBODY } : {}),
  };
}

import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { compileFilters, type Occasion } from '../segments/compile.ts';
import type { Filters } from '../segments/filters/filters.ts';
import { readFilters } from '../segments/filters/read-filters.ts';
import { findSegment } from '../segments/segment.ts';
import { type PeopleChoice, wordsOf } from './choose-people.ts';
import { readListId } from './read-subscriber.ts';

const LONGEST_SEARCH = 1_000;
const MOST_WORDS = 20;

/** Which people are meant, checked, and such that it can be kept for later. */
export interface Selection {
  search: string | null;
  listId: number | null;
  /** Whether those on the list are meant too who have opted out of everything. */
  withOptedOut?: boolean;
  /** They fit each of these. */
  filters: Filters[];
  exceptIds: readonly string[];
  /** Nobody but these. */
  onlyIds?: readonly string[];
}

interface Wanted {
  /** Words; a star alone stands for everybody, as clients have it from elsewhere. */
  search: string | null;
  listId: string | number | null | undefined;
  segmentId: string | undefined;
  /** As on the wire: a list, or JSON in a text. */
  filters: unknown;
  exceptIds: readonly string[];
}

const NAMES = { list: 'subscription_list_id', segment: 'dynamic_list_id' };

/** Reads which people are meant, and that the lists and segments named in it are the customer's. */
export async function readSelection(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { search, listId: wireListId, segmentId, filters: wireFilters, exceptIds }: Wanted,
  names = NAMES,
): Promise<Selection> {
  if (search !== null && search.length > LONGEST_SEARCH) {
    throw invalidField('search', `takes at most ${LONGEST_SEARCH} characters`);
  }
  if (wordsOf(search).length > MOST_WORDS) throw invalidField('search', `takes at most ${MOST_WORDS} words`);
  const listId = readListId(wireListId, names.list);
  if (listId !== null) await requireOwnList(tx, requireOwn, customerId, listId, names.list);
  const segment =
    segmentId === undefined ? null : await findSegment(tx, requireOwn, customerId, segmentId, names.segment);
  const filters = await readFilters(tx, { customerId, requireOwn }, wireFilters);
  return {
    search: search?.trim() === '*' ? null : search,
    listId,
    filters: [segment?.filters ?? null, filters].filter((each) => each !== null),
    exceptIds,
  };
}

/** The people who fit a selection on an occasion. */
export function choiceOf(occasion: Occasion, { filters, ...rest }: Selection): PeopleChoice {
  const conditions = filters.map((each) => compileFilters(each, occasion));
  return {
    ...rest,
    customerId: occasion.customerId,
    segment: conditions.length === 0 ? null : sql<boolean>`${sql.join(conditions, sql` and `)}`,
  };
}

import { type RawBuilder, sql } from 'kysely';

/** Which of a customer's people are meant. */
export interface PeopleChoice {
  customerId: number;
  /** Words that each have to stand somewhere in name, address or phone number. */
  search: string | null;
  /** Only those who get what this list sends. */
  listId: number | null;
  /** Also those who would get it, had they not opted out of everything. */
  withOptedOut?: boolean;
  /** A condition on the person, `s`, that a segment was compiled to. */
  segment: RawBuilder<boolean> | null;
  exceptIds: readonly string[];
  /** Nobody but these. */
  onlyIds?: readonly string[];
}

/** The condition on `s`, a row of subscribers, that chooses them. */
export function chosen(choice: PeopleChoice): RawBuilder<boolean> {
  const { customerId, search, listId, withOptedOut = false, segment, exceptIds, onlyIds } = choice;
  const conditions = [
    sql<boolean>`s.customer_id = ${customerId}`,
    ...holding(wordsOf(search)),
    ...(listId === null ? [] : [onList(customerId, listId, withOptedOut)]),
    ...(segment === null ? [] : [segment]),
    ...(exceptIds.length === 0 ? [] : [sql<boolean>`s.id <> all(${exceptIds}::uuid[])`]),
    ...(onlyIds === undefined ? [] : [sql<boolean>`s.id = any(${onlyIds}::uuid[])`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Whether a choice is all of a customer's people. */
export function isEverybody({ search, listId, segment, exceptIds, onlyIds }: PeopleChoice): boolean {
  const isFree = exceptIds.length === 0 && onlyIds === undefined;
  return isFree && wordsOf(search).length === 0 && listId === null && segment === null;
}

/** Whether a choice is all that get what a list sends. */
export function isWholeList(choice: PeopleChoice): boolean {
  return choice.listId !== null && !choice.withOptedOut && isEverybody({ ...choice, listId: null });
}

/** The words of a search, each once. */
export function wordsOf(search: string | null): string[] {
  return [...new Set((search ?? '').split(/\s+/))].filter((word) => word !== '');
}

/** Everybody may have to be looked at: what they are called is put together once for all words, and each word is made small once. */
function holding(words: string[]): RawBuilder<boolean>[] {
  if (words.length === 0) return [];
  const patterns = words.map((word) => sql`lower(${`%${word.replace(/[\\%_]/g, '\\$&')}%`})`);
  const called = sql`lower(concat_ws(chr(1), s.email, s.first_name, s.last_name, s.phone_number))`;
  return [sql<boolean>`${called} like all(array[${sql.join(patterns)}])`];
}

function onList(customerId: number, listId: number, withOptedOut: boolean): RawBuilder<boolean> {
  const isOn = withOptedOut
    ? sql`(c.active or s.unsubscribed_at is not null and c.unsubscribed_at is null and not c.pending)`
    : sql`c.active`;
  return sql<boolean>`exists (select from subscriptions c where c.customer_id = ${customerId}
    and c.subscription_list_id = ${listId} and c.subscriber_id = s.id and ${isOn})`;
}

import { type RawBuilder, sql } from 'kysely';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { one, type Wire } from '../read-page.ts';
import { subscribersAt } from '../subscribers/subscribers-at.ts';

/** Whom a report names. */
export interface PeopleFilter {
  customerId: number;
  /** Exactly this address. */
  email: string | null;
  /** Exactly this address, or words of the name. */
  search: string | null;
}

/** The parameters that choose people. */
export const PEOPLE_PARAMETERS = {
  email: Parameter('Only whoever has this address'),
  search: Parameter('A whole address, or whole words of a name'),
};

/** Reads whom a report shall name. */
export function readPeopleFilter(customerId: number, wire: Wire): PeopleFilter {
  const [email, search] = [readText(wire.email), readText(wire.search)];
  return { customerId, email, search };
}

/** Text to be found in rows; null where none is given. */
export function readText(given: string | string[] | undefined): string | null {
  const text = one(given)?.trim() ?? '';
  refuseUnstorable(text);
  return text === '' ? null : text;
}

/** To look for so many words anywhere in names first spares nearly all names from being taken apart. */
const MOST_SOUGHT = 5;

/** The conditions that somebody, by id, is among those meant. */
export function among({ customerId, email, search }: PeopleFilter, id: RawBuilder<unknown>): RawBuilder<boolean>[] {
  const people = (condition: RawBuilder<unknown>) => sql<boolean>`${id} = any(array(
    select q.id from subscribers q where q.customer_id = ${customerId} and ${condition}))`;
  const words = search?.toLowerCase().split(/\s+/) ?? [];
  const name = sql`lower(concat_ws(' ', q.first_name, q.last_name))`;
  const patterns = words.slice(0, MOST_SOUGHT).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return [
    ...(email === null ? [] : [sql<boolean>`${id} = any(array(select ${subscribersAt(customerId, [email])}))`]),
    ...(search === null
      ? []
      : [
          people(sql`(lower(q.email) = lower(${search})
            or ${name} like all(${patterns}::text[]) and regexp_split_to_array(${name}, '\\s+') @> ${words}::text[])`),
        ]),
  ];
}

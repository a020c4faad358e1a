import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Filters } from './filters/filters.ts';
import { type Asker, readFilters, readRule } from './filters/read-filters.ts';

const LONGEST_NAME = 200;

const Parts = {
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  filters: Type.Optional(
    Type.Unknown({
      description:
        '[[{field, op, terms}]] or that as JSON in a text: whoever fits every condition of one of the groups',
    }),
  ),
  rule: Type.Optional(
    Type.Union([
      Type.String({ description: 'The same in words: email ends with "@example.org" and not opened any mailing' }),
      Type.Null(),
    ]),
  ),
};

export const SegmentBody = Type.Object({
  ...Parts,
  dynamic_list: Type.Optional(Type.Union([Type.Object(Parts), Type.Null()])),
});

/** What a caller says of a segment; what is left out, or sent as an empty text by who always sends it, stays as it is. */
export interface SegmentWish {
  name?: string;
  filters?: Filters;
}

/** Reads a segment from its wire form, at the top level or under dynamic_list. */
export async function readSegment(tx: Tx, asker: Asker, body: Static<typeof SegmentBody>): Promise<SegmentWish> {
  const { dynamic_list: wrapped, ...top } = body;
  const given = { ...top, ...wrapped };
  const name = given.name?.trim();
  if (name === '') throw invalidField('name', 'is required');
  if (name !== undefined && name.length > LONGEST_NAME) {
    throw invalidField('name', `takes at most ${LONGEST_NAME} characters`);
  }
  const filters = await readFilters(tx, asker, given.filters);
  const ruled = await readRule(tx, asker, given.rule);
  if (filters !== null && ruled !== null && JSON.stringify(filters) !== JSON.stringify(ruled)) {
    throw invalidField('rule', 'says something else than filters: one of them is enough');
  }
  const wanted = filters ?? ruled;
  if (wanted === null) refuseEmpty(given.filters);
  return { ...(name === undefined ? {} : { name }), ...(wanted === null ? {} : { filters: wanted }) };
}

/** Nobody in particular is not everybody: what is sent without a condition is not taken for what was there before. */
function refuseEmpty(filters: unknown): void {
  const isSaid = typeof filters === 'string' ? filters.trim() !== '' : filters !== undefined && filters !== null;
  if (isSaid) throw invalidField('filters', 'at least one condition is required');
}

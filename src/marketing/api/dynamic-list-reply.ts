import { type Static, Type } from 'typebox';
import { PageInfo } from '../../platform/http/body/parameter.ts';
import type { FieldType } from '../fields/field-type.ts';
import { describeFilters } from '../segments/filters/describe-filters.ts';
import { writeRule } from '../segments/rule/write-rule.ts';
import type { Segment } from '../segments/segment.ts';

const Moment = Type.String({ format: 'date-time' });

export const Filter = Type.Object({ field: Type.String(), op: Type.String(), terms: Type.Array(Type.String()) });

export const DynamicList = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Literal('dynamic_list'),
  attributes: Type.Object({
    name: Type.String(),
    filters: Type.Array(Type.Array(Filter)),
    rule: Type.String(),
    subscriber_count: Type.Union([Type.Integer(), Type.Null()]),
    counted_at: Type.Union([Moment, Type.Null()]),
    created_at: Moment,
    updated_at: Moment,
  }),
});

export const DynamicListReply = Type.Object({ data: DynamicList });

export const DynamicListsReply = Type.Object({
  data: Type.Array(DynamicList),
  page_info: Type.Optional(PageInfo),
});

/** A segment as callers read it. */
export function describeSegment(segment: Segment, fields: readonly FieldType[]): Static<typeof DynamicList> {
  const filters = describeFilters(segment.filters, fields);
  return {
    id: segment.id,
    type: 'dynamic_list',
    attributes: {
      name: segment.name,
      filters,
      rule: writeRule(filters),
      subscriber_count: segment.subscriber_count,
      counted_at: segment.counted_at?.toISOString() ?? null,
      created_at: segment.created_at.toISOString(),
      updated_at: segment.updated_at.toISOString(),
    },
  };
}

import type { FieldType } from '../../fields/field-type.ts';
import { wireName } from './fields.ts';
import type { Filters, WireCondition } from './filters.ts';

/** Filters as callers read them, with the names that custom fields have by now. */
export function describeFilters(filters: Filters, fields: readonly FieldType[]): WireCondition[][] {
  const names = new Map(fields.map(({ number, name }) => [number, name]));
  return filters.map((group) =>
    group.map(({ field, op, terms, custom }) => ({
      field: custom === undefined ? field : wireName(names.get(custom.number) ?? field),
      op,
      terms,
    })),
  );
}

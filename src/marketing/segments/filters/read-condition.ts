import type { FieldType } from '../../fields/field-type.ts';
import { BUILT_IN, fieldNamed } from './fields.ts';
import type { AskedCondition, Condition } from './filters.ts';
import { type Kind, OPS_OF, opNamed } from './ops.ts';
import { readTerms } from './read-terms.ts';

export type FieldsByName = ReadonlyMap<string, FieldType>;

/** A condition that makes sense for the field that it names, or the refusal of what does not. */
export function readCondition(asked: AskedCondition, fields: FieldsByName): Condition {
  const named = fieldNamed(asked.field);
  if ('builtIn' in named) {
    const { builtIn } = named;
    return { field: builtIn, ...comparison(asked, BUILT_IN.get(builtIn) as Kind) };
  }
  const type = fields.get(named.custom);
  if (type === undefined) throw asked.refuse('field', 'names no field');
  if (type.class === 'phi') throw asked.refuse('field', 'is health data, which cannot be filtered on');
  return {
    field: type.name,
    ...comparison(asked, type.kind),
    custom: { number: type.number, kind: type.kind },
  };
}

function comparison(asked: AskedCondition, kind: Kind): Pick<Condition, 'op' | 'terms'> {
  const op = opNamed(asked.op, kind);
  if (op === null) throw asked.refuse('op', `takes ${OPS_OF[kind].join(', ')}`);
  return { op, terms: readTerms(asked, kind, op) };
}

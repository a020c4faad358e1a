import { invalidField } from '../../../platform/errors.ts';
import {
  LONGEST_TERM,
  MOST_CONDITIONS,
  MOST_GROUPS,
  MOST_TERMS,
  type WireCondition,
} from '../../segments/filters/filters.ts';
import type { Test } from './graph.ts';
import {
  type Fields,
  isGiven,
  readFields,
  readFilled,
  readNumbered,
  readOnly,
  readScalar,
  readUuid,
} from './read-values.ts';

const LONGEST_NAME = 255;
const KINDS = ['field', 'filters', 'segment', 'dynamic_list_id', 'opened', 'clicked'] as const;

/** What a branch asks. Whether a condition makes sense for its field is for segments to say. */
export function readTest(place: string, wire: unknown): Test {
  const fields = readFields(place, wire);
  const kind = readOnly(place, fields, KINDS);
  const at = `${place}.${kind}`;
  if (kind === 'field') return readCondition(place, fields);
  if (kind === 'filters') return { filters: readGroups(at, fields.filters) };
  if (kind === 'opened') return { opened: readNumbered(at, fields.opened) };
  if (kind === 'clicked') return { clicked: readNumbered(at, fields.clicked) };
  return { segment: readUuid(at, fields[kind]) };
}

function readGroups(place: string, wire: unknown): WireCondition[][] {
  return readSome(place, wire, MOST_GROUPS).map((group, index) => readGroup(`${place}[${index}]`, group));
}

function readGroup(place: string, wire: unknown): WireCondition[] {
  return readSome(place, wire, MOST_CONDITIONS).map((condition, index) => {
    const at = `${place}[${index}]`;
    return readCondition(at, readFields(at, condition));
  });
}

function readSome(place: string, wire: unknown, most: number): unknown[] {
  if (!Array.isArray(wire) || wire.length === 0 || wire.length > most) {
    throw invalidField(place, `takes a list of 1 to ${most}`);
  }
  return wire;
}

function readCondition(place: string, fields: Fields): WireCondition {
  return {
    field: readFilled(`${place}.field`, fields.field, LONGEST_NAME),
    op: readFilled(`${place}.op`, fields.op ?? 'is', LONGEST_NAME) as WireCondition['op'],
    terms: readTerms(place, fields),
  };
}

function readTerms(place: string, { terms, value }: Fields): string[] {
  if (isGiven(terms) && isGiven(value)) throw invalidField(`${place}.value`, 'cannot stand beside terms');
  if (isGiven(value)) return [readScalar(`${place}.value`, value, LONGEST_TERM)];
  if (!isGiven(terms)) return [];
  if (!Array.isArray(terms) || terms.length > MOST_TERMS) {
    throw invalidField(`${place}.terms`, `takes a list of at most ${MOST_TERMS} terms`);
  }
  return terms.map((term, index) => readScalar(`${place}.terms[${index}]`, term, LONGEST_TERM));
}

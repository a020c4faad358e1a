import { invalidField } from '../../../platform/errors.ts';
import { refuseUnstorable } from '../../../platform/http/body/json-body.ts';
import { type AskedCondition, LONGEST_WRITTEN, MOST_CONDITIONS, MOST_GROUPS } from './filters.ts';

/** A list as it stands in an address, in which form clients send it in bodies too. */
const ESCAPED = /^\s*%5b/i;

/** The conditions that a caller wrote as JSON, or as JSON within a text; null where there are none. */
export function parseFilters(wire: unknown): AskedCondition[][] | null {
  const groups = typeof wire === 'string' ? parseText(wire) : wire;
  if (groups === undefined || groups === null) return null;
  if (!Array.isArray(groups)) throw invalidField('filters', 'takes a list of lists of conditions');
  if (groups.length === 0) return null;
  if (groups.length > MOST_GROUPS) throw invalidField('filters', `takes at most ${MOST_GROUPS} groups`);
  return groups.map((group, index) => parseGroup(`filters[${index}]`, group));
}

function parseText(text: string): unknown {
  if (text.trim() === '') return null;
  if (text.length > LONGEST_WRITTEN) throw invalidField('filters', `takes at most ${LONGEST_WRITTEN} characters`);
  try {
    return JSON.parse(ESCAPED.test(text) ? decodeURIComponent(text) : text);
  } catch {
    throw invalidField('filters', 'takes JSON');
  }
}

function parseGroup(place: string, group: unknown): AskedCondition[] {
  if (!Array.isArray(group) || group.length === 0 || group.length > MOST_CONDITIONS) {
    throw invalidField(place, `takes a list of 1 to ${MOST_CONDITIONS} conditions`);
  }
  return group.map((condition, index) => parseCondition(`${place}[${index}]`, condition));
}

function parseCondition(place: string, condition: unknown): AskedCondition {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    throw invalidField(place, 'takes an object with field, op and terms');
  }
  const { field, op, terms } = condition as Record<string, unknown>;
  for (const [name, text] of Object.entries({ field, op })) {
    if (typeof text !== 'string' || text === '') throw invalidField(`${place}.${name}`, 'takes text');
    refuseUnstorable(text);
  }
  return {
    field: field as string,
    op: op as string,
    terms: parseTerms(`${place}.terms`, terms),
    refuse: (part, rule) => invalidField(`${place}.${part}`, rule),
  };
}

function parseTerms(place: string, terms: unknown): string[] {
  if (terms === undefined || terms === null) return [];
  return (Array.isArray(terms) ? terms : [terms]).map((term: unknown) => {
    if (typeof term !== 'string' && typeof term !== 'number' && typeof term !== 'boolean') {
      throw invalidField(place, 'takes texts, numbers, true and false');
    }
    const text = String(term);
    refuseUnstorable(text);
    return text;
  });
}

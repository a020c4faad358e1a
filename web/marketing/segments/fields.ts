import { useMemo } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { words } from '../../words/segments.ts';

/** What kind of thing a condition is about; it says which comparisons there are. */
export type Kind = 'text' | 'number' | 'date' | 'yes_no' | 'list' | 'mailing';

export interface RuleField {
  /** As conditions name it. */
  name: string;
  label: string;
  kind: Kind;
  group: 'person' | 'own' | 'behaviour';
}

const PERSON: readonly [string, Kind][] = [
  ['email', 'text'],
  ['email_domain', 'text'],
  ['first_name', 'text'],
  ['last_name', 'text'],
  ['full_name', 'text'],
  ['phone_number', 'text'],
  ['time_zone', 'text'],
  ['created_at', 'date'],
  ['updated_at', 'date'],
  ['unsubscribed', 'yes_no'],
];
const BEHAVIOUR: readonly [string, Kind][] = [
  ['list', 'list'],
  ['received', 'mailing'],
  ['opened', 'mailing'],
  ['clicked', 'mailing'],
];
const BUILT_IN: readonly RuleField[] = [
  ...PERSON.map(([name, kind]) => ({ name, kind, label: words.fields[name] ?? name, group: 'person' as const })),
  ...BEHAVIOUR.map(([name, kind]) => ({ name, kind, label: words.fields[name] ?? name, group: 'behaviour' as const })),
];
const OWN = 'custom_fields.';

type OwnFields = Reply<'listCustomFieldTypes'>['data'];

/** Everything that a condition can be about; fields with health data are sealed and cannot be looked for. */
export function useRuleFields(): { fields: readonly RuleField[]; isReady: boolean } {
  const own = useRead('listCustomFieldTypes', {});
  const fields = useMemo(() => [...BUILT_IN, ...ownFields(own.data?.data ?? [])], [own.data]);
  return { fields, isReady: own.data !== undefined };
}

function ownFields(types: OwnFields): RuleField[] {
  return types
    .filter(({ attributes }) => attributes.class !== 'phi')
    .map(({ attributes: { name, kind } }) => ({ name: OWN + name, label: name, kind: kind as Kind, group: 'own' }));
}

/** The field that a condition names; one that is gone is shown as text, so that its condition can be seen and removed. */
export function fieldNamed(fields: readonly RuleField[], name: string): RuleField {
  const found = fields.find((field) => field.name === name);
  return found ?? { name, label: words.unknownField(name.replace(OWN, '')), kind: 'text', group: 'own' };
}

/** A field's name as this page writes it: the customer's own ones always with what tells them apart. */
export function nameOf(wire: string): string {
  return BUILT_IN.some(({ name }) => name === wire) || wire.startsWith(OWN) ? wire : OWN + wire;
}

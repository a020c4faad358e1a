import type { Kind } from './ops.ts';

/** What a condition can be about, beside a customer's own fields. */
export const BUILT_IN: ReadonlyMap<string, Kind> = new Map([
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
  ['list', 'list'],
  ['received', 'mailing'],
  ['opened', 'mailing'],
  ['clicked', 'mailing'],
]);

const OTHER_NAMES = new Map([['subscription_list_id', 'list']]);
const PREFIX = 'custom_fields.';

/** What a name in a condition means: something of everybody, or a custom field by its own name. */
export function fieldNamed(name: string): { builtIn: string } | { custom: string } {
  if (name.startsWith(PREFIX)) return { custom: name.slice(PREFIX.length) };
  const builtIn = OTHER_NAMES.get(name) ?? name;
  return BUILT_IN.has(builtIn) ? { builtIn } : { custom: name };
}

/** What a custom field is called in a condition, so that it is mistaken for nothing else. */
export function wireName(custom: string): string {
  const read = fieldNamed(custom);
  return 'custom' in read && read.custom === custom ? custom : PREFIX + custom;
}

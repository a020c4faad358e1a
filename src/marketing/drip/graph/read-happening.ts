import { invalidField } from '../../../platform/errors.ts';
import type { Happening } from './graph.ts';
import { type Fields, readFields, readNumbered, readOnly, readUuid } from './read-values.ts';

/** What each happening is about: the field that says so, and how it is read. */
const ABOUT = new Map([
  ['opened', { field: 'campaign_mailing_id', read: readNumbered }],
  ['clicked', { field: 'campaign_mailing_id', read: readNumbered }],
  ['form_submitted', { field: 'form_id', read: readUuid }],
  ['joined', { field: 'subscription_list_id', read: readNumbered }],
  ['left', { field: 'subscription_list_id', read: readNumbered }],
]);

const OTHER_NAMES = new Map([
  ['subscription_created', 'joined'],
  ['subscription', 'joined'],
]);

/** What is waited for: an event with what it is about, or in short such as {opened: "17"}. */
export function readHappening(place: string, wire: unknown): Happening {
  const fields = readFields(place, wire);
  const given = readOnly(place, fields, ['event', ...ABOUT.keys()]);
  const event = given === 'event' ? readEvent(place, fields) : given;
  const about = ABOUT.get(event);
  if (about === undefined) return readCustom(place, event, fields);
  const source = given === 'event' ? about.field : given;
  return { event, [about.field]: about.read(`${place}.${source}`, fields[source]) } as Happening;
}

function readEvent(place: string, { event }: Fields): string {
  const name = readEventName(`${place}.event`, event);
  return OTHER_NAMES.get(name) ?? name;
}

/** An event that customers report themselves; any name that means nothing else is one. */
function readCustom(place: string, event: string, { name }: Fields): Happening {
  return { event: 'custom', name: event === 'custom' ? readEventName(`${place}.name`, name) : event };
}

/** The name of an event that customers report themselves. */
export function readEventName(place: string, wire: unknown): string {
  if (typeof wire !== 'string' || !/^[\w.-]{1,64}$/.test(wire)) {
    throw invalidField(place, 'takes 1 to 64 letters, digits, ., - and _');
  }
  return wire;
}

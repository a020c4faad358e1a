import { invalidField } from '../../../platform/errors.ts';
import type { Happening } from './graph.ts';
import { type Fields, isGiven, readFields, readNumbered, readOnly, readUuid } from './read-values.ts';

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

/** Stands for the mailing of the email step before a wait, until all steps are known. */
export const MAIL_BEFORE = '';

/** What is waited for: an event with what it is about, or in short such as {opened: "17"}. */
export function readHappening(place: string, wire: unknown): Happening {
  const fields = readFields(place, wire);
  const given = readOnly(place, fields, ['event', ...ABOUT.keys()]);
  const event = given === 'event' ? readEvent(place, fields) : given;
  const about = ABOUT.get(event);
  if (about === undefined) return readCustom(place, event, fields);
  if (event === 'form_submitted' && given === 'event' && !isGiven(fields.form_id)) return { event };
  const source = given === 'event' ? about.field : given;
  return { event, [about.field]: about.read(`${place}.${source}`, fields[source]) } as Happening;
}

/** The same where there are steps before: what is done with a mail may leave open with which one. */
export function readAwaited(place: string, wire: unknown): Happening {
  const fields = readFields(place, wire);
  const isOpen = (fields.event === 'opened' || fields.event === 'clicked') && !isGiven(fields.campaign_mailing_id);
  if (!isOpen) return readHappening(place, wire);
  const named = readHappening(place, { ...fields, campaign_mailing_id: '1' });
  return { ...named, campaign_mailing_id: MAIL_BEFORE } as Happening;
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

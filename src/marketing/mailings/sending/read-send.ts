import { type Static, Type } from 'typebox';
import { parseAddress } from '../../../email/index.ts';
import { momentOf } from '../../../platform/calendar-time.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { ListId } from '../../subscribers/read-subscriber.ts';
import { isTimeZone } from '../../subscribers/time-zone.ts';
import type { SendWindow } from './window.ts';

const LONGEST_LINE = 500;
const MOST_ADDRESSES = 1_000;
const FASTEST = 10_000;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$|^24:00$/;
const Text = Type.Union([Type.String(), Type.Null()]);
const Id = Type.Union([Type.String(), Type.Integer()]);

const SendFields = Type.Object({
  // Left out it is 422 and not 400, which a schema cannot say.
  sender_email: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Required: 422 without' })),
  from_email: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Whom the mails are from; sender_email by default' }),
  ),
  from_name: Type.Optional(Text),
  subject: Type.Optional(Text),
  subscription_list_id: Type.Optional(ListId),
  dynamic_list_id: Type.Optional(Text),
  recipient_emails: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()])),
  per_second: Type.Optional(
    Type.Union([Type.Integer({ description: 'At most so many mails in a second' }), Type.Null()]),
  ),
  per_domain_per_minute: Type.Optional(
    Type.Union([Type.Integer({ description: 'At most so many mails in a minute to one domain' }), Type.Null()]),
  ),
  send_window: Type.Optional(
    Type.Union([
      Type.Object({
        from: Type.String({ description: 'Such as 09:00, by the clock of the recipient' }),
        to: Type.String({ description: 'Such as 17:00' }),
        days: Type.Optional(Type.Array(Type.Integer({ description: '1 for Monday to 7 for Sunday' }))),
        time_zone: Type.Optional(Type.String({ description: 'For people of whom none is known; UTC by default' })),
      }),
      Type.Null(),
    ]),
  ),
});

export const SendBody = Type.Object({ campaign_mailing_id: Id, campaign_mailing_send: SendFields });

export const ScheduleBody = Type.Object({
  campaign_mailing_id: Id,
  // Of any type: whatever is none gets the one answer that clients know.
  send_at: Type.Optional(Type.Unknown({ description: 'RFC 3339' })),
  campaign_mailing_send: Type.Optional(SendFields),
  // Other clients write beside send_at what stands within.
  ...SendFields.properties,
});

/** How a mailing is to be sent, and to whom. */
export interface SendWish {
  /** Whom the mails are from, and what says so. */
  from: { address: string; field: 'sender_email' | 'from_email' };
  fromName: string | null;
  subject: string | null;
  listId: string | number | null;
  segmentId: string | null;
  addresses: string[] | null;
  perSecond: number | null;
  perDomainPerMinute: number | null;
  window: SendWindow | null;
}

/** Reads how a mailing is to be sent, or throws naming the field that is wrong. */
export function readSend(wire: Static<typeof SendFields>): SendWish {
  return {
    from: readFrom(wire),
    fromName: lineOf('from_name', wire.from_name),
    subject: lineOf('subject', wire.subject),
    listId: wire.subscription_list_id === '' ? null : (wire.subscription_list_id ?? null),
    segmentId: wire.dynamic_list_id || null,
    addresses: readAddresses(wire.recipient_emails),
    perSecond: readPace('per_second', wire.per_second),
    perDomainPerMinute: readPace('per_domain_per_minute', wire.per_domain_per_minute),
    window: readWindow(wire.send_window),
  };
}

/** Reads how a mailing is to be sent at a moment to come. */
export function readScheduledSend({ campaign_mailing_send: within, ...beside }: Static<typeof ScheduleBody>): SendWish {
  return readSend({ ...beside, ...within });
}

/** When a mailing is to be sent. */
export function readSendAt(given: unknown, now: Date): Date {
  const at = typeof given === 'string' ? momentOf(given) : null;
  if (at === null) {
    const rule = 'Invalid time format provided, please use RFC3339 format.';
    throw new AppError('invalid_request', rule, { fields: { send_at: [rule] } });
  }
  if (at < now) throw unfit('send_at', 'lies in the past');
  return at;
}

/** Clients that know two addresses name in sender_email who sends the mailing, and in from_email whom readers see. */
function readFrom(wire: Static<typeof SendFields>): SendWish['from'] {
  const sender = readAddress('sender_email', wire.sender_email);
  if (sender === null) throw unfit('campaign_mailing_send.sender_email', 'is required');
  const from = readAddress('from_email', wire.from_email);
  return from === null ? { address: sender, field: 'sender_email' } : { address: from, field: 'from_email' };
}

function readAddress(name: string, given: string | null | undefined): string | null {
  if (given === undefined || given === null || given.trim() === '') return null;
  const parsed = parseAddress(given);
  if (parsed === null) throw unfit(`campaign_mailing_send.${name}`, 'is not a valid address');
  return parsed.address;
}

function readAddresses(given: string[] | string | null | undefined): string[] | null {
  const field = 'campaign_mailing_send.recipient_emails';
  const list = typeof given === 'string' ? given.split(',') : (given ?? []);
  const texts = list.map((text) => text.trim()).filter((text) => text !== '');
  if (texts.length > MOST_ADDRESSES) throw unfit(field, `takes at most ${MOST_ADDRESSES} addresses`);
  const addresses = texts.map((text, index) => {
    const parsed = parseAddress(text);
    if (parsed === null) throw unfit(`${field}[${index}]`, 'is not a valid address');
    return parsed.address;
  });
  return addresses.length === 0
    ? null
    : [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

function readPace(name: string, given: number | null | undefined): number | null {
  if (given === undefined || given === null) return null;
  if (given < 1 || given > FASTEST)
    throw invalidField(`campaign_mailing_send.${name}`, `takes a number from 1 to ${FASTEST}`);
  return given;
}

function readWindow(given: Static<typeof SendFields>['send_window']): SendWindow | null {
  if (given === undefined || given === null) return null;
  const minutes = (name: 'from' | 'to') => {
    if (!TIME.test(given[name])) throw badWindow(name, 'takes a time, such as 09:00');
    const [hours, rest] = given[name].split(':').map(Number) as [number, number];
    return hours * 60 + rest;
  };
  const window = {
    from: minutes('from'),
    to: minutes('to'),
    days: [...new Set(given.days ?? [1, 2, 3, 4, 5, 6, 7])],
    time_zone: given.time_zone ?? 'UTC',
  };
  if (window.to <= window.from) throw badWindow('to', 'must be later than from');
  if (window.days.length === 0 || !window.days.every((day) => day >= 1 && day <= 7))
    throw badWindow('days', 'takes 1 to 7');
  if (!isTimeZone(window.time_zone)) throw badWindow('time_zone', 'is no time zone');
  return window;
}

function badWindow(name: string, rule: string): AppError {
  return invalidField(`campaign_mailing_send.send_window.${name}`, rule);
}

function lineOf(name: string, given: string | null | undefined): string | null {
  const text = given?.trim() ?? '';
  if (text.length > LONGEST_LINE || /[\r\n]/.test(text)) {
    throw invalidField(`campaign_mailing_send.${name}`, `takes one line of at most ${LONGEST_LINE} characters`);
  }
  return text === '' ? null : text;
}

function unfit(field: string, rule: string): AppError {
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}

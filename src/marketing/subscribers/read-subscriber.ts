import { type Static, Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import { AppError, invalidField, missingField } from '../../platform/errors.ts';
import { isTimeZone } from './time-zone.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const LONGEST_TEXT = 1_000;
const MOST_FIELDS = 200;
const E164 = /^\+[1-9]\d{6,14}$/;

export const SubscriberFields = Type.Object({
  email: Type.Optional(Text),
  phone_number: Type.Optional(Type.Union([Type.String({ description: 'E.164, such as +14155550123' }), Type.Null()])),
  first_name: Type.Optional(Text),
  last_name: Type.Optional(Text),
  time_zone: Type.Optional(Type.Union([Type.String({ description: 'Such as America/New_York' }), Type.Null()])),
  custom_fields: Type.Optional(
    Type.Union([Type.Array(Type.Record(Type.String(), Type.Unknown())), Type.Null()], {
      description: '[{name: value}] or [{name, value}]',
    }),
  ),
});

/** The id of a list, as clients send it. */
export const ListId = Type.Union([Type.String(), Type.Integer(), Type.Null()]);

export const SubscriberBody = Type.Object({
  subscriber: SubscriberFields,
  subscription_list_id: Type.Optional(ListId),
});

export const SubscribersBody = Type.Object({
  subscribers: Type.Array(SubscriberFields),
  subscription_list_id: Type.Optional(ListId),
});

const CLEARABLE = ['phone_number', 'first_name', 'last_name', 'time_zone'] as const;
type Clearable = (typeof CLEARABLE)[number];

export interface NewSubscriber {
  email?: string;
  phoneNumber?: string;
  firstName?: string;
  lastName?: string;
  timeZone?: string;
  customFields: Map<string, string>;
  /** What is taken away from whoever is known already. */
  cleared?: readonly Clearable[];
}

/** What is to be changed of somebody: only what was sent; null takes a value away. */
export interface SubscriberChange {
  email?: string | null;
  phone_number?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  time_zone?: string | null;
  customFields: Map<string, string>;
}

type Wire = Static<typeof SubscriberFields>;

/** Reads a subscriber from its wire form, or throws naming the field that is wrong. */
export function readSubscriber(subscriber: Wire, at = 'subscriber'): NewSubscriber {
  const {
    email,
    phone_number: phoneNumber,
    first_name: firstName,
    last_name: lastName,
    time_zone: timeZone,
  } = readTexts(subscriber, at);
  if (email === undefined && phoneNumber === undefined)
    throw unfit(within(at, 'email'), 'is required, or phone_number');
  return {
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(timeZone === undefined ? {} : { timeZone }),
    customFields: readCustomFields(subscriber.custom_fields ?? [], at),
  };
}

/** Reads a subscriber whose sent fields overwrite: an empty text takes away what is known. */
export function readOverwritingSubscriber(subscriber: Wire, at?: string): NewSubscriber {
  const cleared = CLEARABLE.filter((name) => subscriber[name]?.trim() === '');
  return { ...readSubscriber(subscriber, at), cleared };
}

/** Reads a change of a subscriber from its wire form. */
export function readSubscriberChange(subscriber: Wire): SubscriberChange {
  const texts = readTexts(subscriber, 'subscriber');
  const sent = Object.keys(texts).filter(
    (name) => subscriber[name as keyof Wire] !== undefined,
  ) as (keyof typeof texts)[];
  return {
    ...Object.fromEntries(sent.map((name) => [name, texts[name] ?? null])),
    customFields: readCustomFields(subscriber.custom_fields ?? [], 'subscriber'),
  };
}

function readTexts(subscriber: Wire, at: string) {
  const text = (name: keyof Omit<Wire, 'custom_fields'>) => textOf(within(at, name), subscriber[name]);
  return {
    email: readEmail(within(at, 'email'), text('email')),
    phone_number: readPhoneNumber(within(at, 'phone_number'), text('phone_number')),
    first_name: text('first_name'),
    last_name: text('last_name'),
    time_zone: readTimeZone(within(at, 'time_zone'), text('time_zone')),
  };
}

/** An address as the one parser writes it, so that the same mailbox is the same person. */
function readEmail(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = text.includes('<') ? null : parseAddress(text);
  if (parsed === null) throw unfit(field, 'is not a valid address');
  return parsed.address;
}

function readPhoneNumber(field: string, text: string | undefined): string | undefined {
  const number = text?.replace(/[\s().-]/g, '');
  if (number !== undefined && !E164.test(number)) throw unfit(field, 'takes E.164');
  return number;
}

function readTimeZone(field: string, text: string | undefined): string | undefined {
  if (text !== undefined && !isTimeZone(text)) throw unfit(field, 'is no time zone');
  return text;
}

/** The id of a list, from a string or a number; null where none was sent. */
export function readListId(id: string | number | null | undefined, name = 'subscription_list_id'): number | null {
  if (id === undefined || id === null || id === '') return null;
  if (!/^[1-9]\d{0,14}$/.test(String(id))) throw missingField(name, 'no such list');
  return Number(id);
}

/** The name of a field where it stands in the body. */
function within(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function unfit(field: string, rule: string): AppError {
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}

function textOf(field: string, value: string | null | undefined): string | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  if (text.length > LONGEST_TEXT) throw invalidField(field, `takes at most ${LONGEST_TEXT} characters`);
  return text;
}

function readCustomFields(list: Record<string, unknown>[], at: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [index, item] of list.entries()) {
    const pairs =
      typeof item.name === 'string' && 'value' in item ? [[item.name, item.value] as const] : Object.entries(item);
    for (const [name, value] of pairs) {
      const field = within(at, `custom_fields[${index}]`);
      if (value !== null && typeof value === 'object')
        throw invalidField(field, 'takes text, a number or true or false');
      const key = textOf(field, name);
      if (key === undefined) throw invalidField(field, 'needs a name');
      fields.set(key, textOf(field, plainText(value)) ?? '');
    }
  }
  if (fields.size > MOST_FIELDS) throw invalidField(within(at, 'custom_fields'), `takes at most ${MOST_FIELDS} fields`);
  return fields;
}

function plainText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

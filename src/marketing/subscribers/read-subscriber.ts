import { type Static, Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const LONGEST_TEXT = 1_000;
const MOST_FIELDS = 200;
const E164 = /^\+[1-9]\d{6,14}$/;

export const SubscriberBody = Type.Object({
  subscriber: Type.Object({
    email: Type.Optional(Text),
    phone_number: Type.Optional(Type.Union([Type.String({ description: 'E.164, such as +14155550123' }), Type.Null()])),
    first_name: Type.Optional(Text),
    last_name: Type.Optional(Text),
    custom_fields: Type.Optional(
      Type.Union([Type.Array(Type.Record(Type.String(), Type.Unknown())), Type.Null()], {
        description: '[{name: value}] or [{name, value}]',
      }),
    ),
  }),
  subscription_list_id: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
});

export interface NewSubscriber {
  email?: string;
  phoneNumber?: string;
  firstName?: string;
  lastName?: string;
  customFields: Map<string, string>;
}

/** Reads a subscriber from its wire form, or throws naming the field that is wrong. */
export function readSubscriber({ subscriber }: Static<typeof SubscriberBody>): NewSubscriber {
  const email = readEmail(textOf('subscriber.email', subscriber.email));
  const phoneNumber = textOf('subscriber.phone_number', subscriber.phone_number)?.replace(/[\s().-]/g, '');
  if (email === undefined && phoneNumber === undefined) throw unfit('subscriber.email', 'is required, or phone_number');
  if (phoneNumber !== undefined && !E164.test(phoneNumber)) throw unfit('subscriber.phone_number', 'takes E.164');
  const firstName = textOf('subscriber.first_name', subscriber.first_name);
  const lastName = textOf('subscriber.last_name', subscriber.last_name);
  return {
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    customFields: readCustomFields(subscriber.custom_fields ?? []),
  };
}

/** An address as the one parser writes it, so that the same mailbox is the same person. */
function readEmail(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = text.includes('<') ? null : parseAddress(text);
  if (parsed === null) throw unfit('subscriber.email', 'is not a valid address');
  return parsed.address;
}

/** The id of a list, from a string or a number; null where none was sent. */
export function readListId(id: string | number | null | undefined): number | null {
  if (id === undefined || id === null || id === '') return null;
  if (!/^[1-9]\d{0,14}$/.test(String(id))) throw new AppError('not_found', 'subscription_list_id: no such list');
  return Number(id);
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

function readCustomFields(list: Record<string, unknown>[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [index, item] of list.entries()) {
    const pairs =
      typeof item.name === 'string' && 'value' in item ? [[item.name, item.value] as const] : Object.entries(item);
    for (const [name, value] of pairs) {
      const field = `subscriber.custom_fields[${index}]`;
      if (value !== null && typeof value === 'object')
        throw invalidField(field, 'takes text, a number or true or false');
      const key = textOf(field, name);
      if (key === undefined) throw invalidField(field, 'needs a name');
      fields.set(key, textOf(field, plainText(value)) ?? '');
    }
  }
  if (fields.size > MOST_FIELDS) throw invalidField('subscriber.custom_fields', `takes at most ${MOST_FIELDS} fields`);
  return fields;
}

function plainText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { type Static, Type } from 'typebox';
import { parseAddress } from '../../email/index.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';
import { BLANK_FORM, type NewForm } from './create.ts';
import type { FormSettings } from './form.ts';
import { readVanityUrl } from './vanity-url.ts';

const LARGEST_INT = 2 ** 31 - 1;
/** Leaves room for as many changes again. */
const LARGEST_FIRST_VERSION = 1_000_000_000;
const LONGEST_TITLE = 500;
const LONGEST_TEXT = 10_000;
const LONGEST_MARKUP = 1_048_576;
const MOST_RECIPIENTS = 50;

const Text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));
/** Clients whose languages have no empty numbers send 0 where they have none. */
const Int = Type.Union([
  Type.Integer({ minimum: 0, maximum: LARGEST_INT }),
  Type.String({ pattern: '^(?:0|[1-9]\\d{0,9})$' }),
  Type.Null(),
]);

const Settings = {
  description: Text(LONGEST_TEXT),
  form_html: Text(LONGEST_MARKUP),
  form_css: Text(LONGEST_MARKUP),
  recipient: Text(LONGEST_TEXT),
  signable: Type.Optional(Flag),
  signature_confirmation_label: Text(LONGEST_TEXT),
  subscription_list_id: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 100 }), Type.Null()])),
  type: Text(100),
  vanity_url: Text(200),
  active: Type.Optional(Flag),
  version: Type.Optional(Int),
};

const CustomerId = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d{1,10}$' })]);
const FormJson = Type.Record(Type.String(), Type.Unknown());

export const NewFormBody = Type.Object({
  title: Type.String({ maxLength: LONGEST_TITLE }),
  form_json: FormJson,
  customer_id: CustomerId,
  old_form_id: Type.Optional(Int),
  ...Settings,
});

export const FormChangeBody = Type.Object({
  title: Text(LONGEST_TITLE),
  form_json: Type.Optional(Type.Union([FormJson, Type.Null()])),
  customer_id: Type.Optional(Type.Union([CustomerId, Type.Null()], { description: 'The customer of the key' })),
  ...Settings,
});

type ChangeBody = Static<typeof FormChangeBody>;

/** A new form as a caller describes it; the list it names is still to be checked. */
export function readNewForm(body: Static<typeof NewFormBody>): NewForm {
  const { title, ...settings } = readSettings(body);
  if (title === undefined) throw invalidField('title', 'must not be empty');
  return {
    ...BLANK_FORM,
    ...settings,
    title,
    version: readInt('version', body.version, LARGEST_FIRST_VERSION) ?? 1,
    old_form_id: readInt('old_form_id', body.old_form_id),
  };
}

/** What a caller wants changed, and on which version: null leaves as it is, an empty text clears. */
export function readFormChange(body: ChangeBody): { settings: Partial<FormSettings>; onVersion: number | null } {
  return { settings: readSettings(body), onVersion: readInt('version', body.version) };
}

function readSettings(body: ChangeBody): Partial<FormSettings> {
  const read: Partial<FormSettings> = {
    title: given(body.title, readTitle),
    form_json: body.form_json ?? undefined,
    description: given(body.description, orCleared),
    form_html: given(body.form_html, orCleared),
    form_css: given(body.form_css, orCleared),
    recipient: given(body.recipient, readRecipients),
    signature_confirmation_label: given(body.signature_confirmation_label, orCleared),
    type: given(body.type, orCleared),
    vanity_url: given(body.vanity_url, (text) => (text.trim() === '' ? null : readVanityUrl(text))),
    subscription_list_id: given(body.subscription_list_id, readListId),
    signable: readStrictFlag('signable', body.signable) ?? undefined,
    active: readStrictFlag('active', body.active) ?? undefined,
  } as Partial<FormSettings>;
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function given<T, R>(value: T | null | undefined, read: (value: T) => R): R | undefined {
  return value === null || value === undefined ? undefined : read(value);
}

function orCleared(text: string): string | null {
  return text === '' ? null : text;
}

/** A title says something. */
export function readTitle(text: string): string {
  if (text.trim() === '') throw invalidField('title', 'must not be empty');
  return text;
}

/** Addresses that a submission is told to, separated by commas; each must be one that mail can go to. */
function readRecipients(text: string): string | null {
  const listed = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (listed.length > MOST_RECIPIENTS) throw invalidField('recipient', `takes at most ${MOST_RECIPIENTS} addresses`);
  if (!listed.every((each) => parseAddress(each) !== null)) {
    throw invalidField('recipient', 'takes email addresses, separated by commas');
  }
  return listed.length === 0 ? null : listed.join(',');
}

/** The id of a list, in either form that clients send; one that no list can have is not found. */
function readListId(value: number | string): number | null {
  const text = String(value).trim();
  if (text === '') return null;
  if (!/^\d{1,15}$/.test(text)) throw missingField('subscription_list_id', 'no such list');
  return Number(text);
}

function readInt(field: string, value: number | string | null | undefined, most = LARGEST_INT): number | null {
  if (value === null || value === undefined) return null;
  const number = Number(value);
  if (number > most) throw invalidField(field, `takes at most ${most}`);
  return number === 0 ? null : number;
}

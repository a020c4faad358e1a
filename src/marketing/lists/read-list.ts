import { type Static, Type } from 'typebox';
import { AppError, invalidField } from '../../platform/errors.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';

const LONGEST_NAME = 200;
const LONGEST_TEXT = 5_000;

const Fields = Type.Object({
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  double_opt_in: Type.Optional(Flag),
  consent_text: Type.Optional(
    Type.Union([
      Type.String({ description: 'What people agree to when they join; kept as it was at the time' }),
      Type.Null(),
    ]),
  ),
});

/** A list on the wire, with or without the name of its kind around it. */
export const ListBody = Type.Intersect([Fields, Type.Object({ subscription_list: Type.Optional(Fields) })]);

export interface ListChange {
  name?: string;
  doubleOptIn?: boolean;
  consentText?: string | null;
}

/** Reads what is said of a list: only what was sent. */
export function readListChange({ subscription_list: inner, ...outer }: Static<typeof ListBody>): ListChange {
  const { name, double_opt_in: flag, consent_text: text } = inner ?? outer;
  const doubleOptIn = readStrictFlag('double_opt_in', flag);
  return {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(doubleOptIn === null ? {} : { doubleOptIn }),
    ...(text === undefined ? {} : { consentText: readText(text) }),
  };
}

/** Reads a list to be made, which needs a name. */
export function readNewList(body: Static<typeof ListBody>): ListChange & { name: string } {
  const { name, ...change } = readListChange(body);
  if (name === undefined) throw invalidField('name', 'is required');
  return { ...change, name };
}

/** `default` stands for the default list in an address, so no list may be called that. */
function readName(given: string | null): string {
  const name = given?.trim() ?? '';
  if (name === '') throw unfit('must not be empty');
  if (name.length > LONGEST_NAME) throw invalidField('name', `takes at most ${LONGEST_NAME} characters`);
  if (name.toLowerCase() === 'default') throw unfit('is reserved');
  return name;
}

function readText(given: string | null): string | null {
  const text = given?.trim() ?? '';
  if (text.length > LONGEST_TEXT) throw invalidField('consent_text', `takes at most ${LONGEST_TEXT} characters`);
  return text === '' ? null : text;
}

function unfit(rule: string): AppError {
  return new AppError('unprocessable', `name ${rule}`, { fields: { name: [rule] } });
}

import { type Static, Type } from 'typebox';
import { invalidField, missingField } from '../../../platform/errors.ts';
import { canonicalUuid, isUuid } from '../../../platform/ids.ts';
import type { DateTrigger } from '../timing/occasions.ts';

const FARTHEST = 3_650;
const LONGEST_FIELD = 1_000;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const FIELD = 'drip_campaign.date';

export const DateWire = Type.Object({
  field: Type.String({ description: 'A custom field of kind date, or created_at' }),
  every: Type.Optional(Type.Union([Type.String({ description: 'once (default) or year' }), Type.Null()])),
  days: Type.Optional(
    Type.Union([
      Type.Integer({ description: 'How long after the date, before it where negative; 0 by default' }),
      Type.Null(),
    ]),
  ),
  time: Type.Optional(
    Type.Union([Type.String({ description: 'By the clock of the person; 09:00 by default' }), Type.Null()]),
  ),
});

/** Around which date of people a drip starts. Whether there is such a date is for `bindTrigger` to say. */
export function readDate({ field, every, days, time }: Static<typeof DateWire>): DateTrigger {
  const read = { field: field.trim(), every: every ?? 'once', days: days ?? 0, time: time ?? '09:00' };
  if (read.field === '' || read.field.length > LONGEST_FIELD) throw invalidField(`${FIELD}.field`, 'names no field');
  if (read.every !== 'once' && read.every !== 'year') throw invalidField(`${FIELD}.every`, 'takes once, year');
  if (Math.abs(read.days) > FARTHEST) {
    throw invalidField(`${FIELD}.days`, `takes a number from -${FARTHEST} to ${FARTHEST}`);
  }
  if (!TIME.test(read.time)) throw invalidField(`${FIELD}.time`, 'takes a time, such as 09:00');
  return { ...read, every: read.every };
}

/** The id of a form; empty where there is none. */
export function readFormId(text: string | null): string | null {
  if (text === null || text === '') return null;
  if (!isUuid(text)) throw missingField('drip_campaign.form_id', 'no such form');
  return canonicalUuid(text);
}

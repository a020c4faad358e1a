import { type Static, Type } from 'typebox';
import { invalidField } from '../../errors.ts';

/** Yes or no as clients in the field write it: as JSON has it, as 0 and 1, as text, or left empty. */
export const Flag = Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1), Type.String(), Type.Null()]);

type Given = Static<typeof Flag> | undefined;

const YES = /^(?:true|1|on|yes)$/i;
const NO = /^(?:false|0|off|no)$/i;

/** What a flag says; null where it says nothing. A word that nobody understands is no. */
export function readFlag(flag: Given): boolean | null {
  if (flag === undefined || flag === null || flag === '') return null;
  return YES.test(String(flag));
}

/** What a flag says where a word that nobody understands must not pass for no. */
export function readStrictFlag(field: string, flag: Given): boolean | null {
  const says = readFlag(flag);
  if (says === false && !NO.test(String(flag))) throw invalidField(field, 'takes true or false');
  return says;
}

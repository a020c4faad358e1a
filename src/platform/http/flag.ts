import { type Static, Type } from 'typebox';

/** Yes or no as clients in the field write it: as JSON has it, as 0 and 1, as text, or left empty. */
export const Flag = Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1), Type.String(), Type.Null()]);

type Given = Static<typeof Flag> | undefined;

/** What a flag says; null where it says nothing. */
export function readFlag(flag: Given): boolean | null {
  if (flag === undefined || flag === null || flag === '') return null;
  return flag === true || flag === 1 || (typeof flag === 'string' && /^(true|1|on|yes)$/i.test(flag));
}

import { Type } from 'typebox';

/** A moment, as replies write it. */
export const Moment = Type.String({ format: 'date-time' });
export const MomentOrNull = Type.Union([Moment, Type.Null()]);
export const TextOrNull = Type.Union([Type.String(), Type.Null()]);
export const NumberOrNull = Type.Union([Type.Number(), Type.Null()]);

/** A moment that may not have come, as replies write it. */
export function momentOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

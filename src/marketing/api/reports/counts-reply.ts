import { Type } from 'typebox';
import { COUNT_NAMES } from '../../analytics/counts.ts';

/** A count; null where it is hidden for being small. */
export const Count = Type.Union([Type.Integer(), Type.Null()]);

/** Whether any count of a row is hidden. */
export const SUPPRESSED = { small_cells_suppressed: Type.Optional(Type.Literal(true)) };

/** The counts of mails, as they are answered. */
export const COUNTS = Object.fromEntries(COUNT_NAMES.map((name) => [name, Count])) as Record<
  (typeof COUNT_NAMES)[number],
  typeof Count
>;

/** What is still to go. */
export const OPEN = { queued: Count, deferred: Count };

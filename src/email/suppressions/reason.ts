import type { Tables } from '../../platform/db/tables.ts';
import '../tables.ts';

/** Why an address gets nothing more. */
export type Reason = Tables['suppressions']['reason'];

/** The reasons that stop all mail; who opted out still gets what is meant for them alone. */
export const STOPS_ALL_MAIL = ['hard_bounce', 'complaint', 'manual'] as const satisfies Reason[];

/** The reasons that stop what is mailed to many. */
export const STOPS_MAILINGS = [...STOPS_ALL_MAIL, 'opt_out'] as const satisfies Reason[];

import { sql, type Updateable } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { missingField } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import type { Filters } from '../../segments/filters/filters.ts';
import type { Happening, Test } from '../graph/graph.ts';
import type { DateTrigger } from '../timing/occasions.ts';
import type { Pause } from '../timing/pauses.ts';
import { holdAlone } from './hold.ts';
import '../tables.ts';

export type DripState = 'draft' | 'running' | 'paused' | 'completed';

export const START_TRIGGERS = ['subscription_created', 'form_submitted', 'date_field', 'manual'] as const;
export type StartTrigger = (typeof START_TRIGGERS)[number];

/** Whether somebody who was in a drip may enter it again. */
export const REENTRIES = ['never', 'after_leaving', 'always'] as const;
export type Reentry = (typeof REENTRIES)[number];

/** What a trigger has to know besides the list: which form, or which date of a person. */
export type TriggerSettings = { form_id?: string; date?: DateTrigger & { number: number | null } };

/** What a drip wants to bring about: whoever gets there leaves it. Rules of people are kept as they were understood. */
export type Goal = { happening: Happening } | { test: Test; filters: Filters | null };

/** A drip campaign, as the engine sees it. */
export interface Drip {
  id: number;
  customer_id: number;
  name: string;
  subscription_list_id: number;
  start_trigger: StartTrigger;
  trigger_settings: TriggerSettings;
  reentry: Reentry;
  goal: Goal | null;
  /** For people of whom no time zone is known. */
  time_zone: string;
  sender_email: string | null;
  from_name: string | null;
  reply_to: string | null;
  state: DripState;
  mode: 'live' | 'test';
  /** The newest version, the one that newcomers get, and the one that a share of them gets instead. */
  version: number;
  live_version: number | null;
  trial_version: number | null;
  trial_share: number | null;
  pauses: Pause[];
  paused_at: Date | null;
  dates_seen_at: Date | null;
  ending: boolean;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

const COLUMNS = [
  'id',
  'customer_id',
  'name',
  'subscription_list_id',
  'start_trigger',
  'trigger_settings',
  'reentry',
  'goal',
  'time_zone',
  'sender_email',
  'from_name',
  'reply_to',
  'state',
  'mode',
  'version',
  'live_version',
  'trial_version',
  'trial_share',
  'pauses',
  'paused_at',
  'dates_seen_at',
  'ending',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
] as const satisfies (keyof Drip)[];

/** Drips, of whichever customers the transaction shows. */
export function selectDrips(tx: Tx) {
  return tx.selectFrom('drip_campaigns').select(COLUMNS).$castTo<Drip>();
}

/** The drip that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findDrip(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: number,
  { name = 'id', lock = false } = {},
): Promise<Drip> {
  const missing = missingField(name, 'no such drip campaign');
  await requireOwn(tx, customerId, sql<number | null>`find_drip_campaign_customer(${id})`, missing);
  if (lock) await holdAlone(tx, id);
  const found = await selectDrips(tx)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}

/** Changes a drip and answers it as it is then. */
export async function updateDrip(
  tx: Tx,
  { id, customer_id: customerId }: Pick<Drip, 'id' | 'customer_id'>,
  change: Updateable<Tables['drip_campaigns']>,
): Promise<Drip> {
  // Whoever leads people through drips looks what there is to do now, on whichever node.
  await sql`select pg_notify('carepost_drips', '')`.execute(tx);
  return tx
    .updateTable('drip_campaigns')
    .set(change)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .$castTo<Drip>()
    .executeTakeFirstOrThrow();
}
